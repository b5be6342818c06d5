import type { Amount, Count, Proportion } from '../numbers.ts';
import type { CounterName } from '../trial.ts';

/** A suite in numbers. */
export interface SuiteSummary {
  /** All scenarios: passed, failed, undecided, not run and not loaded. */
  readonly scenarios: Count;
  /** Scenarios that passed. */
  readonly passed: Count;
  /** Scenarios that failed. */
  readonly failed: Count;
  /** Scenarios of which trials did not run that could make them pass or fail; absent: none. */
  readonly undecided?: Count;
  /** Scenarios that the run did not reach. */
  readonly notRun: Count;
  /** Files that did not load. */
  readonly loadErrors: Count;
  /** Trials of all scenarios. */
  readonly trials: TrialCounts;
  /** Mean over scenarios of the strict pass^k (1 when every trial passed, else 0); null when there is none. */
  readonly meanStrictPassK: Proportion | null;
  /** Mean over scenarios of the pass rate, an exact one where answers were enumerated. */
  readonly meanPassRate: Proportion | null;
  /** pass^k of the suite for listed k, up to the fewest trials of a scenario; [] when none ran, or where users of both kinds are tried. */
  readonly passHatK: readonly SuitePassHatK[];
  /** Over all trials of all scenarios. Null, here and below: recorded trials, or agents, do not tell it. */
  readonly total: Readonly<Record<CounterName, Count | null>>;
  /** Sum over scenarios of their first trial. */
  readonly first: Readonly<Record<CounterName, Count | null>>;
  /** Tokens of all trials over passing trials; null when none passed. */
  readonly costPerSuccess: Amount | null;
  /** Why a number here is null, or a list empty, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Mean over scenarios of the chance that k trials all pass, without bias. */
export interface SuitePassHatK {
  /** How many trials in a row must pass. */
  readonly k: Count;
  /** The chance of that, as a mean over scenarios. */
  readonly value: Proportion;
  /** 95 %, for what more trials of these scenarios would show; null where scenarios stop early. */
  readonly interval: readonly [Proportion, Proportion] | null;
}

/** Trials by what became of them. */
export interface TrialCounts {
  /** Asked for. */
  readonly requested: Count;
  /** Run, node by node. */
  readonly executed: Count;
  /** Answered from an identical executed trial; 0 without `--dedupe`. */
  readonly deduplicated: Count;
  /** Trials in which every check held. */
  readonly passed: Count;
  /** Some expectation did not hold. */
  readonly failed: Count;
  /** The harness failed, which says nothing about the subject; stays in the denominator. */
  readonly broken: Count;
}
