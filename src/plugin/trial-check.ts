import type { TrialRecord } from '../types/record.ts';

/**
 * What the module of a check exports: it looks at the record of a trial and says at once whether it is right. True: it is. A
 * text: why it is not. A list: verdicts by name, all of which must have passed. Pure, and the same for the same record, which
 * is a copy that nobody can change. What it throws, and what it gives that is no verdict, breaks the trial.
 */
export type TrialCheck = (record: TrialRecord) => true | string | readonly NamedVerdict[];

/**
 * What the module of a contract's rule exports: it looks at one answer, as a `TrialCheck` looks at a trial. It is asked for
 * each answer that the rule is about, and need not be asked about answers that never came.
 */
export type AnswerCheck = (answer: CheckedAnswer) => true | string | readonly NamedVerdict[];

/** One answer, as a rule of a contract sees it. */
export interface CheckedAnswer {
  /** What was asked: of a workflow the prompt of the contract; null: it was not asked in words of the contract. */
  readonly prompt: string | null;
  /** What was answered. */
  readonly text: string;
  /** Each call of a tool in order, by all names that it goes by; null: calls cannot be seen. */
  readonly calls: readonly (readonly string[])[] | null;
  /** Milliseconds: virtual in trials that wait for nothing, else real; null: nobody measured them. */
  readonly latencyMs: number | null;
  /** Tokens of prompt and answer; null: nobody counted them. */
  readonly tokens: number | null;
}

/** What a check of your own says of a trial or an answer. */
export interface NamedVerdict {
  /** What is judged. */
  readonly name: string;
  /** True: it holds. */
  readonly passed: boolean;
  /** Why, in one sentence; absent: the name says it. */
  readonly reason?: string;
}
