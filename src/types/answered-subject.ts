/** Stands in for an agent: what it answers is known before it is asked. No file can write it: audits of sets make it. */
export interface AnsweredSubject {
  readonly kind: 'answered';
  /** Asked one after the other in each trial, each with its answer. */
  readonly turns: readonly {
    /** The prompt. */
    readonly prompt: string;
    /** The answer to it. */
    readonly answer: string;
  }[];
}
