import type { JudgeReplyText } from '../../judges/answer-of-judge.ts';
import type { JudgeQuestion, Unjudgeable } from '../../judges/judge-prompt.ts';
import type { JudgeModel } from '../../types/judges/judge.ts';
import type { ShownToModule } from '../../types/judges/judge-call.ts';
import type { LedgerLine } from '../../types/record.ts';

/** One question to a model of a judge. */
export interface JudgeAsked {
  readonly model: JudgeModel;
  readonly question: JudgeQuestion | Unjudgeable;
  readonly repeat: number;
  /** Which of the questions of one round: of a judge that compares, as they stand, then the other way round. */
  readonly order: number;
  /** How many questions a round has. */
  readonly orders: number;
  /** The same for modules; absent: they are not asked this. */
  readonly shown?: ShownToModule;
  /** What it is asked for; absent: the verdict of the judge. */
  readonly node?: string;
}

/** What one question came to. */
export interface JudgeReply extends JudgeReplyText {
  readonly line: LedgerLine | null;
}

/** Asks a model of a judge; never rejects for what it answers. */
export type AskJudge = (asked: JudgeAsked) => Promise<JudgeReply>;
