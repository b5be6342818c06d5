import type { Found } from './fact.ts';
import { foldWord, isMark, type Lexeme } from './lexemes.ts';

/** What closes each mark that opens a quotation. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"”“'],
  ['“', '”"'],
  ['„', '“”"'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
]);

/** Pieces of the longest quotation that is looked for: without a limit, marks that nobody closes would take long. */
const LONGEST = 1000;

/** A quotation that begins here. Its words must occur as they stand; three dots stand for what is left out. */
export function readQuote(lexemes: readonly Lexeme[], at: number): Found | null {
  const opening = lexemes[at];
  const closing = opening?.kind === 'mark' ? CLOSING.get(opening.text) : undefined;
  const before = lexemes[at - 1];
  // An apostrophe, an inch, or a mark that closes.
  if (closing === undefined || before?.kind === 'word' || before?.kind === 'digits') return null;
  if (lexemes[at + 1]?.kind === 'space' && opening?.text !== '«') return null;
  const end = closingAt(lexemes, at + 1, closing);
  if (end === null) return null;
  const parts = partsOf(lexemes.slice(at + 1, end));
  return parts.length === 0 ? null : { kind: 'quote', readings: [{ kind: 'quote', parts }], next: end + 1 };
}

function closingAt(lexemes: readonly Lexeme[], from: number, closing: string): number | null {
  const last = Math.min(lexemes.length, from + LONGEST);
  for (let at = from; at < last; at++) {
    if (!isMark(lexemes[at], closing)) continue;
    // `don't`
    const isApostrophe = (closing === "'" || closing === '’') && lexemes[at + 1]?.kind === 'word';
    if (!isApostrophe) return at;
  }
  return null;
}

function partsOf(lexemes: readonly Lexeme[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  lexemes.forEach((lexeme, at) => {
    if (lexeme.kind === 'word' || lexeme.kind === 'digits') parts.at(-1)?.push(foldWord(lexeme.text));
    else if (lexeme.text === '.' && lexemes[at + 1]?.text === '.' && lexemes[at + 2]?.text === '.') parts.push([]);
  });
  return parts.filter((words) => words.length > 0);
}
