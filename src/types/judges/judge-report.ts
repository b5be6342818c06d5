import type { Count, Proportion } from '../numbers.ts';
import type { ProbeReport } from './judge-probe.ts';
import type { LabelSample, MeasuredShare, ReliabilityBin } from './judge-calibration.ts';

/** Whether a judge's verdicts may decide a gate, and why not. */
export interface JudgeStanding {
  /**
   * `calibrated`: they may, once they are corrected. `uncalibrated`: nobody has measured the judge. `stale`: the calibration
   * is of another judge, prompt or rubric. `insufficient`: labels are too few. `advisory`: a bar is missed.
   */
  readonly verdict: 'calibrated' | 'uncalibrated' | 'stale' | 'insufficient' | 'advisory';
  /** A sentence each; []: it may. */
  readonly why: readonly string[];
  /** What labels of people show; null: there is no calibration that holds. */
  readonly accuracy: JudgeAccuracy | null;
  /** What probes of the calibration show; []: there are none. */
  readonly probes: readonly ProbeReport[];
}

export interface JudgeAccuracy {
  /** Of what people passed, the judge passed. */
  readonly sensitivity: MeasuredShare;
  /** Of what people failed, the judge failed. */
  readonly specificity: MeasuredShare;
  /** How far it can be believed where it says how sure it is; absent: it says yes or no. */
  readonly reliability?: readonly ReliabilityBin[];
  /** Labels of a random sample of the trials of this scenario, by which rates are corrected; absent: there are none. */
  readonly sample?: LabelSample;
}

/** What a judge made of the trials of a scenario. */
export interface JudgeReport extends JudgeStanding {
  /** The judge's name. */
  readonly judge: string;
  /** As the configuration calls them. */
  readonly models: readonly string[];
  /** How often each was asked the same. */
  readonly repeats: Count;
  /** Trials in which all criteria are met. */
  readonly met: Count;
  /** Trials in which a criterion is not met. */
  readonly unmet: Count;
  /** Trials without a verdict, which are broken: errors of the judge. */
  readonly errors: Count;
  /** errors / (met + unmet + errors); null: no trial was judged. */
  readonly errorRate: Proportion | null;
  /** How often the same question got another answer; null: nothing was asked twice. */
  readonly noise: JudgeNoise | null;
  /** How far the place of an answer decided; null: it compares nothing, or no trial was judged. */
  readonly position: JudgePosition | null;
  /** Claims of all trials that have a verdict; absent: the judge verifies none. */
  readonly claims?: ClaimsReport;
  /** How far each two models of an ensemble agree; []: it is none. */
  readonly agreement: readonly JudgeAgreement[];
  /** Trials in which nothing else failed: in them the judge decides. */
  readonly decided: Count;
  /** Of these, those that passed. */
  readonly passed: Count;
  /** What people would have found; null: the judge may not decide, or no trial was judged. */
  readonly corrected: {
    /** The pass rate, corrected by what is known of its errors. */
    readonly rate: Proportion;
    /** 95 % interval of that rate. */
    readonly interval: readonly [Proportion, Proportion];
  } | null;
}

/** Claims that a judge has verified, of all trials together. */
export interface ClaimsReport {
  /** Claims that were verified. */
  readonly verified: Count;
  /** Claims that the contexts support. */
  readonly supported: Count;
  /** supported / verified; null: there was no claim. */
  readonly score: Proportion | null;
  /** The mean score of claims, by models that score; null: none did. */
  readonly pairScore: Proportion | null;
}

export interface JudgeNoise {
  /** Answers that were judged more than once. */
  readonly answers: Count;
  /** Answers that differ from what most answers of the same model to the same question say. */
  readonly flips: Count;
  /** flips / answers. */
  readonly rate: Proportion;
}

/** Comparisons in both orders. */
export interface JudgePosition {
  /** Pairs that were judged in both orders. */
  readonly rounds: Count;
  /** Rounds that say the same in both orders. */
  readonly consistent: Count;
  /** Verdicts of single orders that name one of the two. */
  readonly decisive: Count;
  /** Of these, those that name the one that stands first. */
  readonly first: Count;
  /** consistent / rounds. */
  readonly consistency: Proportion;
  /** first / decisive; null: no verdict was decisive. 0.5 without bias. */
  readonly firstShare: Proportion | null;
  /** Wilson, 95 %; null like `firstShare`. */
  readonly interval: readonly [Proportion, Proportion] | null;
}

export interface JudgeAgreement {
  /** The two models. */
  readonly models: readonly [string, string];
  /** Trials on which both have a verdict. */
  readonly trials: Count;
  /** Cohen's; null: there is no trial, or both always say the same one thing. */
  readonly kappa: number | null;
  /** 95 %; null like `kappa`. */
  readonly interval: readonly [number, number] | null;
}
