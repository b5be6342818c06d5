import type { Amount, Count } from '../numbers.ts';
import type { CounterName } from '../trial.ts';

/** What the trials of a scenario cost. */
export interface CostReport {
  /** The first trial alone. */
  readonly first: Readonly<Record<CounterName, Count | null>> | null;
  /** Per trial. */
  readonly mean: Readonly<Record<CounterName, Amount | null>>;
  /** All trials. Null, here and above: recorded trials, an agent or answers of models do not tell it. */
  readonly total: Readonly<Record<CounterName, Count | null>>;
  /** Standard deviation of the tokens of one trial, without bias; null for fewer than two trials. */
  readonly deviation: Amount | null;
  /** Tokens of all trials over passing trials; null when none passed. */
  readonly perSuccess: Amount | null;
  /**
   * 95 %, for more trials of it. An upper end of null is without limit: no trial failed, so nothing tells what a failing
   * one costs. Null also for a single trial, and where a run could stop early.
   */
  readonly perSuccessInterval: readonly [Amount, Amount | null] | null;
}
