/** First and last code point of a run. */
type Range = readonly [number, number];

const LAST = 0x10ffff;

/** What may stand between the brackets of an RE2 class. */
export interface SetItems {
  readonly inside: string;
  readonly outside: string;
}

const ASCII_WORD: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const ASCII_SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
/** As `str.isspace` has it. */
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x1c, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/** The sets of `\d`, `\s` and `\w`; `ascii`: as with the flag `a`. */
export function escapedSet(letter: 'd' | 's' | 'w', ascii: boolean): SetItems {
  if (letter === 's') return ofRanges(ascii ? ASCII_SPACE : SPACE);
  if (letter === 'w') return ascii ? ofRanges(ASCII_WORD) : unicodeWord();
  return ascii ? ofRanges([[0x30, 0x39]]) : { inside: '\\p{Nd}', outside: '\\P{Nd}' };
}

/** A code point inside or outside brackets. */
export function codeText(code: number): string {
  const character = String.fromCodePoint(code);
  return /^[A-Za-z0-9 ]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
}

export function rangeText(from: number, to: number): string {
  return from === to ? codeText(from) : `${codeText(from)}-${codeText(to)}`;
}

/** True for letters, numbers and `_`. */
export function isWord(code: number): boolean {
  return (code < 0xd800 || code > 0xdfff) && /[\p{L}\p{N}_]/u.test(String.fromCodePoint(code));
}

function ofRanges(ranges: readonly Range[]): SetItems {
  return { inside: textOf(ranges), outside: textOf(complement(ranges)) };
}

function textOf(ranges: readonly Range[]): string {
  return ranges.map(([from, to]) => rangeText(from, to)).join('');
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const outside: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) outside.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) outside.push([next, LAST]);
  return outside;
}

/** Letters, numbers and `_`, between brackets. */
const WORD_ITEMS = '\\p{L}\\p{N}_';

let word: SetItems | null = null;

/** Letters, numbers and `_`. RE2 cannot say "no word character" inside brackets, so these are listed, once. */
function unicodeWord(): SetItems {
  word ??= { inside: WORD_ITEMS, outside: textOf(complement(wordRanges())) };
  return word;
}

function wordRanges(): readonly Range[] {
  const ranges: Range[] = [];
  let from = -1;
  for (let code = 0; code <= LAST + 1; code++) {
    const isIn = code <= LAST && isWord(code);
    if (isIn && from < 0) from = code;
    if (!isIn && from >= 0) {
      ranges.push([from, code - 1]);
      from = -1;
    }
  }
  return ranges;
}
