import { draw, hashText, STREAM } from '../../random/draw.ts';
import type { SeedWords } from '../../types/plan.ts';

/** What is left to chance about a user, in one trial. */
export interface UserDraws {
  /** A number in [0, 1) for one thing that may happen, the n-th of its kind. */
  share(what: string, n: number): number;
}

/** Addressed draws: what one thing draws depends on no other. */
export function userDraws(words: SeedWords, trial: number): UserDraws {
  return { share: (what, n) => draw(words, trial, STREAM.user, hashText(what), n) / 0x100000000 };
}
