import type { Count } from '../numbers.ts';

/** Broken trials with one cause; of long causes the beginning counts. */
export interface BrokenCause {
  /** Why they are broken. */
  readonly cause: string;
  /** How many trials. */
  readonly count: Count;
  /** The lowest of these. */
  readonly lowestTrial: Count;
}
