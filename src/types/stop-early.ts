import type { GateVerdict } from './reports/gate.ts';
import type { Proportion } from './numbers.ts';

/** What may end a scenario before all its planned trials have run. */
export type StopRule =
  /** As soon as no trial still to come can change what its bar and the gates on it say. */
  | { readonly rule: 'curtail' }
  /** As soon as a sequential test of its bar has decided as well: fewer trials, wrong at most so often. */
  | {
      readonly rule: 'sprt';
      /** Highest chance to pass a workflow at the bad end of the test. */
      readonly falsePass: number;
      /** Highest chance to fail a workflow at its good end. */
      readonly falseFail: number;
    };

/** How a scenario could end early, and whether it did. */
export interface StopEarlyReport {
  /** By which rule the scenario could end. */
  readonly rule: StopRule['rule'];
  /** What the trials that ran settled; `insufficient`: that all planned trials are too few to tell; null: nothing. */
  readonly verdict: GateVerdict | null;
  /** Absent: the verdict is that of all planned trials, with certainty. */
  readonly test?: SequentialTest;
  /** Why it stopped, or went on to the end; one sentence. */
  readonly reason: string;
}

/** Two pass rates that a sequential test tells apart, and how often it may be wrong. */
export interface SequentialTest {
  /** A workflow that passes no more often than this should fail. */
  readonly bad: Proportion;
  /** A workflow that passes no less often than this should pass. */
  readonly good: Proportion;
  /** It passes at or below `bad`, it fails at or above `good`, at most so often. */
  readonly falsePass: Proportion;
  /** Chance of failing a scenario whose true rate is `good`. */
  readonly falseFail: Proportion;
}
