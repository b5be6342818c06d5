import type { FaithfulExpectation } from '../faithfulness/faithful-expectation.ts';
import type { ModelEndpoint } from '../model-endpoint.ts';
import type { Count, Proportion } from '../numbers.ts';

/** What a rubric asks of a trial. */
export interface JudgeCriterion {
  /** A short word, unique within the rubric. */
  readonly id: string;
  /** What must hold, in a sentence. */
  readonly text: string;
}

/** A judge as a configuration has it: `[[judges]]` in `passk.toml`. */
export interface JudgeSetting {
  /** What expectations call it by. */
  readonly name: string;
  /** Names of models: `[models.NAME]`, or functions of this process. Several are an ensemble. Absent: `module` alone judges. */
  readonly models?: readonly string[];
  /** JavaScript module that judges, as one of the ensemble; `defineJudge` of passk/plugin types it. Absent: models alone judge. */
  readonly module?: string;
  /** Milliseconds that the module may take for one question; default 60,000. */
  readonly timeoutMs?: number;
  /** At least one; a trial passes where all are met. Absent: the judge verifies claims, and only then. */
  readonly criteria?: readonly JudgeCriterion[];
  /** What the judge should know besides; absent: nothing. */
  readonly background?: string;
  /** How often each model is asked the same; default 1. More than half of all answers must agree. */
  readonly repeats?: number;
  /** True: it compares two answers, and `criteria` say what makes one better; default false: it judges each by itself. */
  readonly compares?: boolean;
  /** True: it verifies the claims of an answer, one by one, against contexts; default false. */
  readonly verifies?: boolean;
  /** Of a judge that verifies: the share of claims that contexts must support; default 1. */
  readonly minScore?: Proportion;
  /** Of a judge that verifies: the model that takes answers apart into claims; absent: sentences are claims. */
  readonly splitter?: string;
  /** Of a judge that verifies, with models that score: the score from which on a context supports a claim; default 0.5. */
  readonly threshold?: Proportion;
  /** File that `passk judge calibrate` has written; absent: nobody has calibrated it. */
  readonly calibration?: string;
  /** True: it may judge models of its own family; default false. */
  readonly allowSameFamily?: boolean;
}

/** A judge of a planned scenario. */
export interface PlannedJudge {
  readonly name: string;
  readonly models: readonly JudgeModel[];
  readonly criteria: readonly JudgeCriterion[];
  /** '': nothing. */
  readonly background: string;
  readonly repeats: Count;
  /** True: it may judge models of its own family; absent: it may not. */
  readonly allowsFamily?: true;
  /** True: it compares two answers; absent: it judges each by itself. */
  readonly compares?: true;
  /** What it compares the trial's answer with; absent: it does not compare, or nobody says with what. */
  readonly against?: Preference;
  /** Absent: it verifies no claims. */
  readonly claims?: PlannedClaims;
}

/** How a judge verifies claims. */
export interface PlannedClaims {
  /** The share of claims that contexts must support. */
  readonly minScore: Proportion;
  /** The model that takes answers apart; absent: sentences are claims. */
  readonly splitter?: JudgeModel;
  /** The score from which on a context supports a claim; absent: no model scores. */
  readonly threshold?: Proportion;
  /** Which contexts, and how many claims there must be; absent: nobody says. */
  readonly faithful?: FaithfulExpectation;
}

/** What must be better than what. */
export interface Preference {
  /** The name of a judge that compares. */
  readonly judge: string;
  /** The answer that the trial's must be better than. */
  readonly over: string;
  /** True: as good as that is enough; absent: it is not. */
  readonly ties?: true;
}

/** What a judge that compares rules on: the one criterion of its rulings. */
export const PREFERRED = 'preferred';

/** A model that judges. */
export interface JudgeModel {
  /** As the configuration calls it. */
  readonly name: string;
  /** What calls to it are counted under; a key of the plan's `liveEndpoints` where it has an endpoint. */
  readonly backend: string;
  /** The real model; absent: a function of the host answers, or `module`. */
  readonly endpoint?: ModelEndpoint;
  /** The module of the user that answers; absent: a model does. */
  readonly module?: JudgeModuleFile;
}

/** A module that judges. */
export interface JudgeModuleFile {
  /** Relative to the folder that the run began in. */
  readonly file: string;
  /** Of its own text, without what it loads. */
  readonly sha256: string;
  readonly timeoutMs: Count;
}

/** What backends of judges begin with. No workflow can name one. */
export const JUDGE_BACKEND = 'judge:';

/** What a judge made of one trial. */
export interface JudgeRuling {
  /** The judge's name. */
  readonly judge: string;
  /** True: every criterion is met. Null: there is no verdict. */
  readonly met: boolean | null;
  /** Why there is no verdict; null: there is one. */
  readonly problem: string | null;
  /** What it says of each criterion. */
  readonly criteria: readonly RuledCriterion[];
  /** One for each question, model by model. */
  readonly answers: readonly JudgeAnswer[];
  /** What a judge that verifies ruled on; absent: it verifies nothing, or has no verdict. */
  readonly claims?: VerifiedClaims;
}

/** The claims of an answer, and how many of them contexts support. */
export interface VerifiedClaims {
  /** In the order of `criteria`, which call them `claim-1` and so on. */
  readonly texts: readonly string[];
  /** How many contexts the judge was shown. With none it is not asked. */
  readonly contexts: Count;
  /** The share of claims that contexts must support. */
  readonly minScore: Proportion;
  /** The share that they support; null: there is no claim, or nobody was asked. */
  readonly score: Proportion | null;
  /** The mean of what models that score gave each claim with the context that supports it best; null: none did. */
  readonly pairScore: Proportion | null;
}

/** What all answers together say of one criterion. */
export interface RuledCriterion {
  /** The criterion. */
  readonly criterion: string;
  /** What more than half of all questions were answered with; null: neither. */
  readonly met: boolean | null;
  /** Answers by which it is met, and by which it is not. */
  readonly votes: readonly [met: Count, unmet: Count];
}

/** What a judge answered to one question. */
export interface JudgeAnswer {
  /** The model that judged. */
  readonly model: string;
  /** From 0. */
  readonly repeat: Count;
  /** Why it is no verdict, or why there is none; null: it is one. */
  readonly problem: string | null;
  /** One for each criterion; [] without a verdict. */
  readonly verdicts: readonly {
    /** The criterion. */
    readonly criterion: string;
    /** True: the criterion is met. */
    readonly met: boolean;
    /** The judge's reason. */
    readonly reason: string;
  }[];
  /** Of a model that scores: its score of each claim, in their order; absent: it answers in words. */
  readonly scores?: readonly Proportion[];
  /** Of a judge that compares, where it could be read: what became of the trial's answer when it stood first, and second. */
  readonly orders?: {
    /** The verdict with the answer in first place. */
    readonly first: PairedOutcome;
    /** The verdict with the answer in second place. */
    readonly second: PairedOutcome;
  };
}

/** What a judge said of the trial's answer against the other. */
export type PairedOutcome = 'win' | 'loss' | 'tie';
