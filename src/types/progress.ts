import type { Issue } from './issue.ts';
import type { Count, Proportion } from './numbers.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { SuiteReport, SuiteResult } from './report.ts';
import type { SampledScenario, ScenarioReport } from './scenario-report.ts';
import type { TrialCounts } from './suite-summary.ts';

/**
 * What `onProgress` of a run is told, in this order: loaded, planned, then progress and failing scenarios, then scenario
 * ends and results, then end.
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
  | { readonly kind: 'failing'; readonly scenario: FailingScenario }
  | { readonly kind: 'scenario'; readonly report: ScenarioReport }
  | { readonly kind: 'result'; readonly report: SuiteResult }
  | { readonly kind: 'end'; readonly report: SuiteReport };

/**
 * A scenario of which trials have failed or are broken, as far as the run has come; a later event of it replaces this one. It
 * is no verdict: trials are missing, and its bar may tolerate some.
 */
export interface FailingScenario {
  readonly name: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  readonly trials: TrialCounts;
  /** The scenario's own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
  /** Passed over passed, failed and broken. */
  readonly passRate: Proportion;
  /** 95 %, Wilson's score interval. */
  readonly passRateInterval: readonly [Proportion, Proportion];
  /** Trials that failed each check, most frequent first; at most 3. */
  readonly checks: SampledScenario['checks'];
  /** Why trials are broken, most frequent first; at most 3. */
  readonly brokenCauses: NonNullable<SampledScenario['brokenCauses']>;
}

/** Where trials of a row are, in the order of its bar: what became of them, or that they are asked now, or wait. */
export const ROW_STATES = ['passed', 'flaky', 'failed', 'timed_out', 'error', 'skipped', 'running', 'waiting'] as const;

export type RowState = (typeof ROW_STATES)[number];

/** How far a part of a run has come that has a line of its own. */
export interface ProgressRow {
  readonly name: string;
  /** Trials; one that the harness broke is an error. */
  readonly counts: Readonly<Record<RowState, Count>>;
}
