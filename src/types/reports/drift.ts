import type { Amount, Count, Proportion } from '../numbers.ts';
import type { TrailDivergence } from '../sessions/session-trail.ts';

export const DRIFT_RULES = ['evidence', 'strict'] as const;

/** `evidence`: a regression must be more than chance explains; `strict`: any drop of a pass rate is one. */
export type DriftRule = (typeof DRIFT_RULES)[number];

/** How a run compares with its baseline. */
export interface DriftReport {
  /** Whether the run is worse than the baseline beyond chance. */
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  /** By what a drop counts as a regression. */
  readonly rule: DriftRule;
  /** Highest chance that `evidence` fails a run in which nothing has changed, over all its comparisons. */
  readonly alpha: Proportion;
  /** Comparisons with this baseline that share `alpha`; 1: this one has it for itself. */
  readonly comparisons: Count;
  /** Two-sided level of each question; half of it is for getting worse. */
  readonly levels: DriftLevels;
  /** Relative rise of tokens per trial that is tolerated. */
  readonly tokenTolerance: Amount;
  /** Fall of the suite's mean pass rate that is tolerated; null: none that is more than chance. */
  readonly margin: Proportion | null;
  /** What the run is compared with. */
  readonly baseline: {
    /** `baseline`: written by `--save-baseline`; `report`: a JSON report; `reference`: one of agentd-conformance. */
    readonly kind: 'baseline' | 'report' | 'reference';
    /** Version of passk that ran. */
    readonly passk: string | null;
    /** The seed of that run; null: unknown. */
    readonly seed: Count | null;
  };
  /** How far the comparison is valid, in sentences. */
  readonly notes: readonly string[];
  /** One sentence for each regression, the suite's first. */
  readonly reasons: readonly string[];
  /** Scenarios of both runs, in plan order. */
  readonly scenarios: readonly ScenarioDrift[];
  /** Scenarios of this run that the baseline has not. */
  readonly added: readonly DriftName[];
  /** Scenarios of the baseline that this run has not. */
  readonly vanished: readonly DriftName[];
  /** The suite as a whole. */
  readonly overall: OverallDrift;
}

/**
 * What each question may take of `alpha`: two-sided levels, half of which is for getting worse. The halves add up to
 * `alpha` over all comparisons.
 */
export interface DriftLevels {
  /** Pass rates of scenarios, after correction over them. */
  readonly scenarios: Proportion;
  /** The suite's mean pass rate. */
  readonly suite: Proportion;
  /** Tokens of scenarios, after correction over them. */
  readonly scenarioTokens: Proportion;
  /** Tokens of the suite. */
  readonly suiteTokens: Proportion;
}

/** What tells a scenario of two runs from others. */
export interface DriftName {
  /** The scenario's name. */
  readonly name: string;
  /** Null: the baseline does not say. */
  readonly file: string | null;
}

/** How a scenario compares with the baseline. */
export interface ScenarioDrift extends DriftName {
  /** What became of its pass rate, beyond chance. */
  readonly status: 'regressed' | 'improved' | 'unchanged' | 'undecided';
  /** What was run differs from the baseline's; null: the baseline does not say. */
  readonly changed: boolean | null;
  /** The same program with the same draws gave other verdicts, which only another passk, plug-in or chance explains. */
  readonly nondeterministic: boolean;
  /** `paired`: by the same trials; `unpaired`: by counts. */
  readonly comparison: 'paired' | 'unpaired';
  /** Why they were compared so, one sentence. */
  readonly why: string;
  /** In the baseline. */
  readonly before: DriftRun;
  /** In this run. */
  readonly after: DriftRun;
  /** After − before of the pass rate, over the compared trials; null when a run judged none. */
  readonly difference: number | null;
  /** 95 % interval of the difference. */
  readonly interval: readonly [number, number] | null;
  /** Trials with the same number: passed before only, and now only. */
  readonly pairs: {
    /** Trials that both runs have. */
    readonly trials: Count;
    /** Of these, passed before and not now. */
    readonly lost: Count;
    /** Of these, passed now and not before. */
    readonly gained: Count;
  } | null;
  /**
   * `exact_repeat`: the same program with the same draws; `constant`: every trial of a run is the same. In both chance
   * plays no part, and there is no p.
   */
  readonly test: 'mcnemar' | 'fisher' | 'exact_repeat' | 'constant' | null;
  /** Two-sided: twice the smaller tail. */
  readonly p: Proportion | null;
  /**
   * The A/A noise floor: the smallest drop that these trials show with a chance of 80 %, before correction; null: none
   * does. 0 where chance plays no part.
   */
  readonly noiseFloor: Proportion | null;
  /** What became of its tokens. */
  readonly tokens: TokenDrift;
  /**
   * Of sessions whose pass rate fell: where the calls of the first trial that failed leave those of the first that passed when
   * the baseline was made; absent: it did not fall, or nobody kept the calls.
   */
  readonly divergence?: TrailDivergence;
  /** The first trials of this run that failed, of a scenario that regressed; absent: it did not, or none failed. */
  readonly failedFirst?: readonly Count[];
  /** Corrected over scenarios, falls and rises each for themselves (Benjamini-Hochberg). */
  readonly q: Proportion | null;
}

/** Trials that were judged; broken ones say nothing about the subject and are left out of tests. */
export interface DriftRun {
  /** Trials that were run. */
  readonly trials: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that the harness broke. */
  readonly broken: Count;
  /** Trials beside these that a simulated user spoilt; absent: none. */
  readonly spoilt?: Count;
  /** Passed over all judged trials; null without any. */
  readonly passRate: Proportion | null;
}

/** How the tokens of a trial compare with the baseline. */
export interface TokenDrift {
  /** What became of tokens per trial. */
  readonly status: 'risen' | 'fallen' | 'within' | 'unknown';
  /** Mean tokens per trial. */
  readonly before: Amount | null;
  /** Tokens per trial now; null: unknown. */
  readonly after: Amount | null;
  /** After / before − 1; null where either does not exist or the baseline spent none. */
  readonly change: number | null;
  /** 95 % interval of after − before; null: the trials do not tell their spread. */
  readonly interval: readonly [number, number] | null;
  /** Two-sided (Welch), no smaller than so few trials allow; null where chance plays no part, or nobody can tell. */
  readonly p: Proportion | null;
  /** Corrected over scenarios as the pass rate's; of the suite `p` itself. */
  readonly q: Proportion | null;
}

/** All scenarios of both runs together, each counted once. */
export interface OverallDrift {
  /** Scenarios that both runs have. */
  readonly scenarios: Count;
  /** `undecided`: the trials do not tell whether the margin was kept, or nothing was judged. */
  readonly status: ScenarioDrift['status'];
  /** Means over scenarios of the pass rate, over the compared trials. */
  readonly before: Proportion | null;
  /** Mean pass rate of this run; null: there is none. */
  readonly after: Proportion | null;
  /** Mean over scenarios of after - before of the pass rate. */
  readonly difference: number | null;
  /** 95 %, for what more trials of these scenarios would show. */
  readonly interval: readonly [number, number] | null;
  /**
   * Whether these scenarios changed: `permutation` exchanges trials within each scenario, which is McNemar's test where
   * all are pairs of equal weight; `non_inferiority` asks whether the margin was kept. Null: fewer than two scenarios in
   * which chance plays a part, and no margin.
   */
  readonly test: 'permutation' | 'non_inferiority' | null;
  /** Two-sided; of `non_inferiority` twice the smaller tail at the margin. */
  readonly p: Proportion | null;
  /** The same for scenarios like these, of which these are a sample; null: fewer than two. */
  readonly population: {
    /** 95 %, Student's t over scenarios with one lost and one gained added. */
    readonly interval: readonly [number, number];
    /** Two-sided, sign-flip permutation. */
    readonly p: Proportion;
  } | null;
  /** Mean over scenarios of tokens per trial. */
  readonly tokens: TokenDrift;
  /** Tokens for each passing trial. */
  readonly costPerSuccess: {
    /** In the baseline; null: nothing passed. */
    readonly before: Amount | null;
    /** In this run; null: nothing passed. */
    readonly after: Amount | null;
  };
  /** How much scenarios vary by chance alone. */
  readonly noiseFloor: {
    /** Of scenarios in which chance plays a part. */
    readonly median: Proportion | null;
    /** The largest of these; null: chance plays a part in none. */
    readonly worst: Proportion | null;
    /** Those whose trials could show no drop at all. */
    readonly blind: Count;
    /** The smallest drop of all of them alike that the suite's test shows with a chance of 80 %; null: none. */
    readonly suite: Proportion | null;
  };
}
