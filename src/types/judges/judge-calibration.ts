import type { Amount, Count, Proportion } from '../numbers.ts';
import type { ProbeReport } from './judge-probe.ts';

/** The shape of the document; a change that breaks readers is a new number. */
export const JUDGE_CALIBRATION_SCHEMA = 'passk-judge-calibration/1';

/** What a judge gets right, by labels of people, and of which judge that is known. */
export interface JudgeCalibration {
  /** Names the shape of the document. */
  readonly schema: typeof JUDGE_CALIBRATION_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /**
   * `calibrated`: both bars are reached. `advisory`: labels or probes show that it misses a bar.
   * `insufficient`: labels are too few, or of one kind.
   */
  readonly verdict: 'calibrated' | 'advisory' | 'insufficient';
  /** Why it is not calibrated; []: it is. */
  readonly reasons: readonly CalibrationReason[];
  /** What it is a calibration of. */
  readonly pins: CalibrationPins;
  /** What the judge had to reach. */
  readonly bars: CalibrationBars;
  /** The labels of people that it was compared with. */
  readonly labels: {
    /** In the order given. */
    readonly files: readonly CalibrationFile[];
    /** Rows with a label and a verdict. */
    readonly items: Count;
    /** Labelled rows whose verdict is missing or could not be read: errors, and verdicts of nobody. */
    readonly errors: Count;
    /** Criteria that rows name; 0: each row is about a whole item. */
    readonly criteria: Count;
    /** False: rows have no `id`, so that nobody can tell which stand twice. */
    readonly hasIds: boolean;
  };
  /** Of what people passed, the judge passed. */
  readonly sensitivity: MeasuredShare;
  /** Of what people failed, the judge failed. */
  readonly specificity: MeasuredShare;
  /** Null: both always say the same one thing, or there are no items. */
  readonly kappa: {
    /** Cohen's kappa of judge and people. */
    readonly value: number;
    /** Its standard error. */
    readonly error: Amount;
    /** Its 95 % interval. */
    readonly interval: readonly [number, number];
  } | null;
  /** Of a judge that says how sure it is, the surest last; absent: it says yes or no. */
  readonly reliability?: readonly ReliabilityBin[];
  /** Labels that are a random sample of the trials of a scenario; null: nobody says that they are. */
  readonly sample: LabelSample | null;
  /** What probes show that it prefers besides quality; []: nobody has probed it. */
  readonly probes: readonly ProbeReport[];
  /** What asking the judge took; absent: its verdicts stood in the labels. */
  readonly asked?: JudgeAsking;
  /** Rows with a verdict and no label; null: there are none. */
  readonly unlabelled: UnlabelledRate | null;
}

/** Questions to a judge about labelled answers, and about variants of them. */
export interface JudgeAsking {
  /** Answers about which it was asked, variants included. */
  readonly items: Count;
  /** Of these, those without a verdict. */
  readonly unread: Count;
  /** Why most of those have none; absent: nobody can say, or each has one. */
  readonly problem?: string;
  /** True: it was ended early, by the budget or the user; absent: it was asked about all. */
  readonly isPartial?: true;
  /** What was paid for; null: not all of it is known. */
  readonly promptTokens: Count | null;
  /** Tokens of the answers; null: unknown. */
  readonly completionTokens: Count | null;
  /** What the calls cost, in billionths of a dollar; null: unknown. */
  readonly nanoUsd: Count | null;
}

export interface CalibrationReason {
  /** The reason, for programs. */
  readonly code: 'ONE_CLASS' | 'FEW_LABELS' | 'LOW_KAPPA' | 'TELLS_NOTHING' | 'BIASED';
  /** What is wrong, one sentence. */
  readonly message: string;
}

/** What the calibration is about: it is stale when one of these changes. */
export interface CalibrationPins {
  /** The judge that was calibrated. */
  readonly judge: CalibrationPin;
  /** Null: it was not named, and so is not pinned. */
  readonly prompt: CalibrationPin | null;
  /** Its rubric; null: it was not named, and so is not pinned. */
  readonly rubric: CalibrationPin | null;
}

export interface CalibrationPin {
  /** The judge's name, or the file. */
  readonly name: string;
  /** Of the name of a judge, or of the bytes of a file. */
  readonly sha256: string;
}

export interface CalibrationBars {
  /** Labels of each class. */
  readonly minLabels: Count;
  /** For the lower end of kappa's interval. */
  readonly minKappa: number;
}

export interface CalibrationFile {
  /** The name of the file. */
  readonly name: string;
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
}

export interface MeasuredShare {
  /** Items that were judged. */
  readonly items: Count;
  /** Items on which the judge agrees with the label. */
  readonly agreed: Count;
  /** agreed / items; null: there are none. */
  readonly share: Proportion | null;
  /** Wilson, 95 %; null like `share`. */
  readonly interval: readonly [Proportion, Proportion] | null;
}

/** Labelled items of which a judge was about as sure. */
export interface ReliabilityBin {
  /** How sure it was that they pass: at least so much, and less than `to`, of the last at most. */
  readonly from: Proportion;
  /** The upper end of the bin. */
  readonly to: Proportion;
  /** Items in the bin. */
  readonly items: Count;
  /** The mean of how sure it was. */
  readonly confidence: Proportion;
  /** Of these, those that people passed. */
  readonly passed: Count;
  /** passed / items. */
  readonly share: Proportion;
  /** Wilson, 95 %. */
  readonly interval: readonly [Proportion, Proportion];
}

/** Trials of one scenario that people and the judge have both judged, drawn at random. */
export interface LabelSample {
  /** The name of the scenario. */
  readonly scenario: string;
  /** Items that both human and judge pass. */
  readonly bothPassed: Count;
  /** Items that only the human passes. */
  readonly onlyHumanPassed: Count;
  /** Items that only the judge passes. */
  readonly onlyJudgePassed: Count;
  /** Items that both fail. */
  readonly bothFailed: Count;
}

/** What the judge found where nobody has labelled, and what people would have found. */
export interface UnlabelledRate {
  /** Items without a label. */
  readonly items: Count;
  /** Items that the judge passes. */
  readonly passed: Count;
  /** Items that the judge could not judge. */
  readonly errors: Count;
  /** By sensitivity and specificity; null: the judge tells nothing, or a class has no labels. */
  readonly corrected: {
    /** The pass rate, corrected for the errors of the judge. */
    readonly rate: Proportion;
    /** Its confidence interval. */
    readonly interval: readonly [Proportion, Proportion];
  } | null;
}
