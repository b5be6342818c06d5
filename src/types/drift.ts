export const DRIFT_RULES = ['evidence', 'strict'] as const;

/** `evidence`: a regression must be more than chance explains; `strict`: any drop of a pass rate is one. */
export type DriftRule = (typeof DRIFT_RULES)[number];

/** How a run compares with its baseline. */
export interface DriftReport {
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  readonly rule: DriftRule;
  /** Level of every test, after correction for the number of scenarios. */
  readonly alpha: number;
  /** Relative rise of tokens per trial that is tolerated. */
  readonly tokenTolerance: number;
  readonly baseline: {
    /** `baseline`: written by `--save-baseline`; `report`: a JSON report; `reference`: one of agentd-conformance. */
    readonly kind: 'baseline' | 'report' | 'reference';
    readonly passk: string | null;
    readonly seed: number | null;
  };
  /** How far the comparison is valid, in sentences. */
  readonly notes: readonly string[];
  /** One sentence for each regression. */
  readonly reasons: readonly string[];
  /** Scenarios of both runs, in plan order. */
  readonly scenarios: readonly ScenarioDrift[];
  /** Scenarios of this run that the baseline has not. */
  readonly added: readonly DriftName[];
  /** Scenarios of the baseline that this run has not. */
  readonly vanished: readonly DriftName[];
  readonly overall: OverallDrift;
}

export interface DriftName {
  readonly name: string;
  /** Null: the baseline does not say. */
  readonly file: string | null;
}

export interface ScenarioDrift extends DriftName {
  readonly status: 'regressed' | 'improved' | 'unchanged' | 'undecided';
  /** What was run differs from the baseline's; null: the baseline does not say. */
  readonly changed: boolean | null;
  /** The same program with the same draws gave other verdicts, which only another passk, plug-in or chance explains. */
  readonly nondeterministic: boolean;
  readonly comparison: 'paired' | 'unpaired';
  /** Why they were compared so, one sentence. */
  readonly why: string;
  readonly before: DriftRun;
  readonly after: DriftRun;
  /** After − before of the pass rate, over the compared trials; null when a run judged none. */
  readonly difference: number | null;
  /** 95 % interval of the difference. */
  readonly interval: readonly [number, number] | null;
  /** Trials with the same number: passed before only, and now only. */
  readonly pairs: { readonly trials: number; readonly lost: number; readonly gained: number } | null;
  /**
   * `exact_repeat`: the same program with the same draws; `constant`: every trial of a run is the same. In both chance
   * plays no part, and there is no p.
   */
  readonly test: 'mcnemar' | 'fisher' | 'two_proportions' | 'exact_repeat' | 'constant' | null;
  /** Two-sided. */
  readonly p: number | null;
  /** Corrected over scenarios (Benjamini-Hochberg). */
  readonly q: number | null;
  /**
   * The A/A noise floor: the smallest drop that these trials show with a chance of 80 %; null: none does.
   * 0 where chance plays no part.
   */
  readonly noiseFloor: number | null;
  readonly tokens: TokenDrift;
}

/** Trials that were judged; broken ones say nothing about the subject and are left out of tests. */
export interface DriftRun {
  readonly trials: number;
  readonly passed: number;
  readonly broken: number;
  /** Passed over all judged trials; null without any. */
  readonly passRate: number | null;
}

export interface TokenDrift {
  readonly status: 'risen' | 'fallen' | 'within' | 'unknown';
  /** Mean tokens per trial. */
  readonly before: number | null;
  readonly after: number | null;
  /** After / before − 1; null where either does not exist or the baseline spent none. */
  readonly change: number | null;
  /** 95 % interval of after − before; null: the baseline has no spread. */
  readonly interval: readonly [number, number] | null;
}

/** All scenarios of both runs together, each counted once. */
export interface OverallDrift {
  readonly scenarios: number;
  /** Mean over scenarios of after − before of the pass rate. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Two-sided, sign-flip permutation. */
  readonly p: number | null;
  readonly costPerSuccess: { readonly before: number | null; readonly after: number | null };
  /** Of scenarios in which chance plays a part; `blind`: those whose trials could show no drop at all. */
  readonly noiseFloor: { readonly median: number | null; readonly worst: number | null; readonly blind: number };
}
