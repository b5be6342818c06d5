import type { TrialRecord } from '../types/record.ts';

/**
 * What the module of a check exports: it looks at the record of a trial and says at once whether it is right. True: it is. A
 * text: why it is not. A list: verdicts by name, all of which must have passed. Pure, and the same for the same record, which
 * is a copy that nobody can change. What it throws, and what it gives that is no verdict, breaks the trial.
 */
export type TrialCheck = (record: TrialRecord) => true | string | readonly NamedVerdict[];

/** What a check of your own says of a trial. */
export interface NamedVerdict {
  /** What is judged. */
  readonly name: string;
  /** True: it holds. */
  readonly passed: boolean;
  /** Why, in one sentence; absent: the name says it. */
  readonly reason?: string;
}
