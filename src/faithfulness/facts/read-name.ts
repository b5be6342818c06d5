import type { Found, Reading } from './fact.ts';
import { foldWord, isMark, type Lexeme } from './lexemes.ts';
import { COMMON_WORDS, TITLES } from './common-words.ts';
import { readDate } from './read-date.ts';

/** What a name is read in: in German every noun has a capital. */
export interface NameContext {
  readonly isGerman: boolean;
  /** True: what begins here has a capital whatever it is. */
  readonly isStart: boolean;
}

/** Words of the longest name. */
const LONGEST = 8;

/** A name that begins here: words with capitals, one after the other; null: none does, or nobody can tell. */
export function readName(lexemes: readonly Lexeme[], at: number, { isGerman, isStart }: NameContext): Found | null {
  const { words: all, next } = capitalised(lexemes, at);
  if (all.length === 0) return null;
  const isTitled = TITLES.has(foldWord(all[0] ?? ''));
  const words = all.filter(
    (word, index) => word.length > 1 && !(index === 0 && isTitled) && !isCommon(word, index, all, isStart),
  );
  const [first = ''] = words;
  // At the beginning of a sentence, and in German, one word with a capital is no name by that.
  const isTold = isTitled || words.length > 1 || isMarked(first) || !(isGerman || (isStart && first === all[0]));
  const nothing: Found = { kind: 'name', readings: [], next };
  if (words.length === 0 || !isTold) return nothing;
  const folded = words.map(foldWord);
  const readings: Reading[] = [{ kind: 'name', words: folded }];
  const mayBeginLater = isStart && words.length > 1 && first === all[0] && !isMarked(first);
  if (mayBeginLater && !(isGerman && words.length === 2)) readings.push({ kind: 'name', words: folded.slice(1) });
  if (words.length === 1 && /^\p{Lu}{2,6}$/u.test(first)) readings.push({ kind: 'initials', letters: foldWord(first) });
  if (words.length > 2) readings.push({ kind: 'initials', letters: folded.map((word) => word.charAt(0)).join('') });
  return { kind: 'name', readings, next };
}

function isCommon(word: string, index: number, all: readonly string[], isStart: boolean): boolean {
  const isAtStart = isStart && index === 0;
  return COMMON_WORDS.has(foldWord(word)) && !isMarked(word) && (isAtStart || all.length === 1 || index === 0);
}

/** `SKU` of `SKU-123`. */
function isPartOfId(lexemes: readonly Lexeme[], at: number): boolean {
  const after = lexemes[at + 1];
  return after?.kind === 'digits' || (isMark(after, '-_#') && lexemes[at + 2]?.kind === 'digits');
}

/** In capitals, or with a capital inside: a name wherever it stands. */
function isMarked(word: string): boolean {
  return word.length > 1 && /^.+\p{Lu}/u.test(word);
}

/** Words with capitals from here on, single letters among them. */
function capitalised(
  lexemes: readonly Lexeme[],
  at: number,
): { readonly words: readonly string[]; readonly next: number } {
  const words: string[] = [];
  let next = at;
  let here = at;
  while (words.length < LONGEST) {
    const word = lexemes[here];
    const isCapital = word?.kind === 'word' && (/^\p{Lu}/u.test(word.text) || isMarked(word.text));
    if (!isCapital || isPartOfId(lexemes, here) || (here > at && readDate(lexemes, here) !== null)) break;
    words.push(word.text);
    next = here + 1;
    here = next;
    // `J. K. Rowling`, `Dr. Stone`
    const isAbbreviated = word.text.length === 1 || TITLES.has(foldWord(word.text));
    if (isAbbreviated && isMark(lexemes[here], '.')) here++;
    if (lexemes[here]?.kind === 'space' && lexemes[here]?.text === ' ') here++;
    else if (isMark(lexemes[here], "-‐‑'’&")) here++;
    else break;
    if (isMark(lexemes[here], '&') && lexemes[here + 1]?.kind === 'space') here += 2;
  }
  return { words, next };
}
