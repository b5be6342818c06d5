import type { Issue } from './issue.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { SuiteReport } from './report.ts';
import type { ScenarioReport } from './scenario-report.ts';
import type { SuiteResult } from './suite.ts';

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
    }
  | { readonly kind: 'scenario'; readonly report: ScenarioReport }
  | { readonly kind: 'result'; readonly report: SuiteResult }
  | { readonly kind: 'end'; readonly report: SuiteReport };
