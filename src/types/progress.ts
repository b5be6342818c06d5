import type { Issue } from './issue.ts';
import type { Count } from './numbers.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { SuiteReport, SuiteResult } from './report.ts';
import type { ScenarioReport } from './scenario-report.ts';

/**
 * What `onProgress` of a run is told, in this order: loaded, planned, then progress, scenario ends and results, then
 * end.
 */
export type ProgressEvent =
  | { readonly kind: 'loaded'; readonly scenarios: number; readonly issues: readonly Issue[] }
  | {
      readonly kind: 'planned';
      readonly scenarios: number;
      readonly trials: number;
      readonly workers: number;
      /** What will most likely leave the run without a verdict. */
      readonly issues: readonly Issue[];
    }
  | {
      readonly kind: 'progress';
      readonly done: number;
      readonly total: number;
      readonly failed: number;
      /** The worker processes of a queue that take part now; absent: there is no queue. */
      readonly peers?: readonly QueueWorker[];
      /** What has a line of its own on a terminal, such as a model; absent: nothing has. */
      readonly rows?: readonly ProgressRow[];
    }
  | { readonly kind: 'scenario'; readonly report: ScenarioReport }
  | { readonly kind: 'result'; readonly report: SuiteResult }
  | { readonly kind: 'end'; readonly report: SuiteReport };

/** Where trials of a row are, in the order of its bar: what became of them, or that they are asked now, or wait. */
export const ROW_STATES = ['passed', 'flaky', 'failed', 'timed_out', 'error', 'skipped', 'running', 'waiting'] as const;

export type RowState = (typeof ROW_STATES)[number];

/** How far a part of a run has come that has a line of its own. */
export interface ProgressRow {
  readonly name: string;
  /** Trials; one that the harness broke is an error. */
  readonly counts: Readonly<Record<RowState, Count>>;
}
