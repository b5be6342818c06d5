import type { Issue } from './issue.ts';
import type { Count, Proportion } from './numbers.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { SuiteReport, SuiteResult } from './reports/report.ts';
import type { SampledScenario, ScenarioReport } from './reports/scenario-report.ts';
import type { TrialCounts } from './reports/suite-summary.ts';

/**
 * What `onProgress` of a run is told, in this order: loaded, planned, then progress and failing scenarios, then scenario
 * ends and results, then end. What it throws when it is told of the plan refuses the run: nothing has been asked or written.
 */
export type ProgressEvent =
  | {
      readonly kind: 'loaded';
      /** Scenarios that are run. */
      readonly scenarios: number;
      /** Problems, with their places. */
      readonly issues: readonly Issue[];
    }
  | {
      readonly kind: 'planned';
      /** Scenarios that are run. */
      readonly scenarios: number;
      /** Trials that are to be run. */
      readonly trials: number;
      /** Scenarios, of all shards, whose trials ask anybody outside: agents, models, servers or programs. */
      readonly asking: number;
      /** Scenarios, of all shards, whose trials or judges ask real models, which costs money. */
      readonly paying: number;
      /** Workers that the run may use. */
      readonly workers: number;
      /** What will most likely leave the run without a verdict. */
      readonly issues: readonly Issue[];
    }
  | {
      readonly kind: 'progress';
      /** Trials with a result. */
      readonly done: number;
      /** Trials that are to be run. */
      readonly total: number;
      /** Trials that failed or are broken. */
      readonly failed: number;
      /** The worker processes of a queue that take part now; absent: there is no queue. */
      readonly peers?: readonly QueueWorker[];
      /** What has a line of its own on a terminal, such as a model; absent: nothing has. */
      readonly rows?: readonly ProgressRow[];
    }
  | {
      readonly kind: 'failing';
      /** How the scenario stands. */
      readonly scenario: FailingScenario;
    }
  | {
      readonly kind: 'scenario';
      /** What it came to, as the report has it. */
      readonly report: ScenarioReport;
    }
  | {
      readonly kind: 'result';
      /** What it came to, as the report has it. */
      readonly report: SuiteResult;
    }
  | {
      readonly kind: 'end';
      /** What it came to, as the report has it. */
      readonly report: SuiteReport;
    }
  | {
      /** The run was to be kept, as a baseline or in a history, and is not. */
      readonly kind: 'unkept';
      /** Why, in a sentence. */
      readonly message: string;
    };

/**
 * A scenario of which trials have failed or are broken, as far as the run has come; a later event of it replaces this one. It
 * is no verdict: trials are missing, and its bar may tolerate some.
 */
export interface FailingScenario {
  /** The scenario's name. */
  readonly name: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  /** Trials so far, of those that were asked for. */
  readonly trials: TrialCounts;
  /** The scenario's own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
  /** The suite's floor, which it has to reach as well; absent: there is none for it. */
  readonly floor?: Proportion;
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

/** Where a trial is that a row of progress counts. */
export type RowState = (typeof ROW_STATES)[number];

/** How far a part of a run has come that has a line of its own. */
export interface ProgressRow {
  /** What the row is called. */
  readonly name: string;
  /** Trials; one that the harness broke is an error. */
  readonly counts: Readonly<Record<RowState, Count>>;
}
