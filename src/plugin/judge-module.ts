import type { JudgeCriterion } from '../types/judges/judge.ts';
import type { NamedClaim } from '../types/judges/judge-call.ts';
import type { Role } from '../types/message.ts';
import type { TrialRecord } from '../types/record.ts';

/**
 * What the module of a judge exports by default. passk owns the order, the repeats, the reading and the time: the module is
 * shown a trial, two of them, or claims with their contexts, and says what it thinks. What it throws, and what it gives that is no verdict, is an error of the
 * judge and a verdict of nobody.
 */
export interface JudgeModule {
  /** Rules on one trial, each criterion once; absent: it only compares. */
  pointwise?(question: PointwiseQuestion): Saying<RubricSaying> | Promise<Saying<RubricSaying>>;
  /** Says which of two trials is better. It is asked in both orders. Absent: it judges each by itself. */
  pairwise?(question: PairwiseQuestion): Saying<PairSaying> | Promise<Saying<PairSaying>>;
  /** Says of each claim whether contexts support it; `criterion` is the id of the claim. Absent: it verifies none. */
  verify?(question: VerifyQuestion): Saying<RubricSaying> | Promise<Saying<RubricSaying>>;
}

/** Verdicts, or what a model answered to `messages`, which passk reads as it reads the answers of models. */
export type Saying<Verdicts> = Verdicts | string;

/** What a judge of your own says of each criterion. */
export interface RubricSaying {
  /** What the judge says of each criterion that it is asked about, and of no other. */
  readonly verdicts: readonly {
    /** The criterion's id. */
    readonly criterion: string;
    /** True: it is met. */
    readonly met: boolean;
    /** Why, in a sentence. */
    readonly reason?: string;
  }[];
  /** Tokens of all calls of models behind it together; absent: unknown. */
  readonly usage?: JudgeUsage;
}

/** What a judge of your own says of two records. */
export interface PairSaying {
  /** Which record is better. */
  readonly verdict: 'A' | 'B' | 'tie';
  /** Why, in one sentence. */
  readonly reason?: string;
  /** As above. */
  readonly usage?: JudgeUsage;
}

/** Tokens that a judge of your own used. */
export interface JudgeUsage {
  /** Tokens of the question, a whole number from 0. */
  readonly promptTokens: number;
  /** Tokens of the answer, the same. */
  readonly completionTokens: number;
}

/** Whether a record meets the criteria. */
export interface PointwiseQuestion extends JudgeModuleQuestion {
  /** The whole trial, with credentials hidden. */
  readonly record: TrialRecord;
}

/** Which of two records is better. */
export interface PairwiseQuestion extends JudgeModuleQuestion {
  /** Whole trials, as above. */
  readonly A: TrialRecord;
  /** The record that it is compared with. */
  readonly B: TrialRecord;
}

/** Which claims the contexts support. */
export interface VerifyQuestion extends JudgeModuleQuestion {
  /** The claims that are to be verified. */
  readonly claims: readonly NamedClaim[];
  /** The texts that must support them. */
  readonly contexts: readonly string[];
}

/** What a judge of your own is asked, whatever it judges. */
export interface JudgeModuleQuestion {
  /** What is asked about the trial, one by one. */
  readonly criteria: readonly JudgeCriterion[];
  /** What the judge should know besides; '': nothing. */
  readonly background: string;
  /** From 0. Each repeat is a question of its own. */
  readonly repeat: number;
  /** The question in passk's words, for a module that asks a model of its own. */
  readonly messages: readonly {
    /** Who speaks. */
    readonly role: Role;
    /** What is said. */
    readonly content: string;
  }[];
}

/** The judge of a module, typed. */
export function defineJudge(judge: JudgeModule): JudgeModule {
  return judge;
}
