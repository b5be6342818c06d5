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

export interface RubricSaying {
  readonly verdicts: readonly { readonly criterion: string; readonly met: boolean; readonly reason?: string }[];
  /** Tokens of all calls of models behind it together; absent: unknown. */
  readonly usage?: JudgeUsage;
}

export interface PairSaying {
  readonly verdict: 'A' | 'B' | 'tie';
  /** Why, in one sentence. */
  readonly reason?: string;
  /** As above. */
  readonly usage?: JudgeUsage;
}

export interface JudgeUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface PointwiseQuestion extends JudgeModuleQuestion {
  /** The whole trial, with credentials hidden. */
  readonly record: TrialRecord;
}

export interface PairwiseQuestion extends JudgeModuleQuestion {
  /** Whole trials, as above. */
  readonly A: TrialRecord;
  readonly B: TrialRecord;
}

export interface VerifyQuestion extends JudgeModuleQuestion {
  readonly claims: readonly NamedClaim[];
  readonly contexts: readonly string[];
}

export interface JudgeModuleQuestion {
  readonly criteria: readonly JudgeCriterion[];
  /** What the judge should know besides; '': nothing. */
  readonly background: string;
  /** From 0. Each repeat is a question of its own. */
  readonly repeat: number;
  /** The question in passk's words, for a module that asks a model of its own. */
  readonly messages: readonly { readonly role: Role; readonly content: string }[];
}

/** The judge of a module, typed. */
export function defineJudge(judge: JudgeModule): JudgeModule {
  return judge;
}
