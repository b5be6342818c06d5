import type { CounterName } from './scenario.ts';

/** A suite in numbers. */
export interface SuiteSummary {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly loadErrors: number;
  readonly trials: TrialCounts;
  /** Mean over scenarios of the strict pass^k (1 when every trial passed, else 0); null when there is none. */
  readonly meanStrictPassK: number | null;
  /** Mean over scenarios of the pass rate, an exact one where answers were enumerated. */
  readonly meanPassRate: number | null;
  /** pass^k of the suite for listed k, up to the fewest trials of a scenario; [] when none ran. */
  readonly passHatK: readonly SuitePassHatK[];
  /** Over all trials of all scenarios. */
  readonly total: Readonly<Record<CounterName, number>>;
  /** Sum over scenarios of their first trial. */
  readonly first: Readonly<Record<CounterName, number>>;
  /** Tokens of all trials over passing trials; null when none passed. */
  readonly costPerSuccess: number | null;
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Mean over scenarios of the chance that k trials all pass, without bias. */
export interface SuitePassHatK {
  readonly k: number;
  readonly value: number;
  /** 95 %, for what more trials of these scenarios would show; null where scenarios stop early. */
  readonly interval: readonly [number, number] | null;
}

/** Trials by what became of them. */
export interface TrialCounts {
  readonly requested: number;
  readonly executed: number;
  /** Answered from an identical executed trial; 0 without `--dedupe`. */
  readonly deduplicated: number;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
}
