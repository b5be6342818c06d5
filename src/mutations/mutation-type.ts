import type { MutationType } from '../types/mutations/mutation.ts';

/** The n-th draw of a message, in [0, 1): the same each time it is asked for. */
export type Draws = (n: number) => number;

/** One way of changing a message, which takes no model. */
export interface MutationKind {
  readonly kind: 'mutation';
  readonly type: MutationType;
  readonly summary: string;
  /**
   * True: it is said to keep what a message means. The tokens of `protectedTokens` then stand in the result as they were
   * and in their order, and no number and no negation is new.
   */
  readonly keepsMeaning: boolean;
  /** The changed message: a pure function of both; the same text where it has nothing to change. */
  readonly mutate: (text: string, draws: Draws) => string;
}

/** Words of a message that are changed; longer messages keep their rest as it is. */
export const MOST_WORDS = 4096;
/** Draws that a word of a message may take. */
export const DRAWS_A_WORD = 8;
/** Where the draws of words end, and those of the whole message begin. */
export const WHOLE = MOST_WORDS * DRAWS_A_WORD;

/** One of a list by a draw. */
export function pick<T>(list: readonly [T, ...T[]], share: number): T {
  return list[Math.floor(share * list.length)] ?? list[0];
}
