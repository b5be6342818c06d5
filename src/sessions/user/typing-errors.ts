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

/** Two letters swapped, one left out, or one doubled. */
function mistyped(word: string, at: number, kind: number): string {
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  if (kind < 1 / 3) return `${before.slice(0, -1)}${letter}${before.slice(-1)}${after}`;
  if (kind < 2 / 3) return `${before}${after}`;
  return `${before}${letter}${letter}${after}`;
}
