import { mistyped } from '../../mutations/mistyped.ts';
import type { UserDraws } from './user-draws.ts';

export interface Typing {
  /** Chance that a word is mistyped. */
  readonly share: number;
  readonly draws: UserDraws;
  /** Which message of the user it is. */
  readonly message: number;
}

/** Words of one message that have draws of their own. */
const MOST_WORDS = 4096;

/** A text with typing errors in some of its words. Words with digits, signs or capitals inside stay: they name things. */
export function withTypos(text: string, { share, draws, message }: Typing): string {
  let word = 0;
  return text.replace(/\S+/g, (token) => {
    const n = message * MOST_WORDS + word++;
    if (word > MOST_WORDS || !/^[A-Za-z]?[a-z]{3,}[.,!?]?$/.test(token)) return token;
    if (draws.share('typo', n) >= share) return token;
    const at = 1 + Math.floor(draws.share('typo place', n) * (token.length - 2));
    return mistyped(token, at, draws.share('typo kind', n));
  });
}
