import type { Count, Proportion } from '../numbers.ts';

/** Over the scenarios of the suites validation and regression. */
export interface Reliability {
  /** Mean over scenarios; null: no scenario has so many trials. */
  readonly passHatK: readonly {
    /** The k of pass^k. */
    readonly k: Count;
    /** The mean of pass^k; null: no scenario has k trials. */
    readonly value: Proportion | null;
    /** Scenarios with at least k trials. */
    readonly scenarios: Count;
  }[];
  /** Scenarios of which every trial passed. */
  readonly allPass: Count;
  /** Mean over scenarios; null: there is none. */
  readonly passRate: Proportion | null;
  /** The same without the trials that are errors; null: there is none. */
  readonly passRateWithoutErrors: Proportion | null;
}
