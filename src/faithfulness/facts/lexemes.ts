/** A piece of a text: a word, digits, white space, or one other character. */
export interface Lexeme {
  readonly kind: 'word' | 'digits' | 'space' | 'mark';
  readonly text: string;
}

const LEXEME = /(\p{L}[\p{L}\p{M}]*)|([0-9]+)|(\s+)|./gsu;

/**
 * The pieces of a text, in order; joined they are its NFKC form, in which spaces without a break are plain ones and `km²` is
 * `km2`. Takes time in proportion to the text.
 */
export function lexemesOf(text: string): readonly Lexeme[] {
  const lexemes: Lexeme[] = [];
  for (const [all, word, digits, space] of text.normalize('NFKC').matchAll(LEXEME)) {
    const kind = word !== undefined ? 'word' : digits !== undefined ? 'digits' : space !== undefined ? 'space' : 'mark';
    lexemes.push({ kind, text: all });
  }
  return lexemes;
}

/** The text of some of them. */
export function textBetween(lexemes: readonly Lexeme[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += lexemes[at]?.text ?? '';
  return text;
}

/** The position behind white space, where there is some. */
export function pastSpace(lexemes: readonly Lexeme[], at: number): number {
  return lexemes[at]?.kind === 'space' ? at + 1 : at;
}

/** Text that has no accents, and that is its own normal form. */
const ASCII = /^\p{ASCII}*$/u;

/** A word as words are compared: in lower case, without accents. */
export function foldWord(word: string): string {
  // Most words are of ASCII, and all else takes six times as long.
  if (ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

export function isMark(lexeme: Lexeme | undefined, marks: string): boolean {
  return lexeme?.kind === 'mark' && marks.includes(lexeme.text);
}
