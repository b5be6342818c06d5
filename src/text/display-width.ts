import { eastAsianWidth } from 'get-east-asian-width';
import { characters, isPlain } from './characters.ts';

/** Columns that `text` takes in a terminal: 2 for wide characters and emoji, 0 for marks on their own. */
export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const character of characters(text)) width += characterWidth(character);
  return width;
}

/** Columns of the widest of some texts; 0: there is none. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}

/** `text` followed by blanks up to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** `text` after blanks up to `width` columns. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** The longest start of `text`, in whole characters as people see them, that fits `width` columns. */
export function takeWidth(text: string, width: number): string {
  const most = Math.max(0, width);
  // What stands right after the cut may belong to the character before it; of what is further on nothing depends.
  if (isPlain(text.slice(0, most + 1))) return text.slice(0, most);
  let taken = 0;
  let end = 0;
  for (const character of characters(text)) {
    taken += characterWidth(character);
    if (taken > width) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** `text`, or its start and `…`, in at most `width` columns; looks no further into `text` than it has to. */
export function shorten(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY || takeWidth(text, width).length === text.length) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1).trimEnd()}…`;
}

/** `text`, or its two ends with `…` between them, in at most `width` columns: names often differ at their end. */
export function shortenMiddle(text: string, width: number): string {
  if (takeWidth(text, width).length === text.length) return text;
  if (width < 3) return shorten(text, width);
  const tail = Math.floor((width - 1) / 2);
  let end = '';
  // No character is longer than what is looked at for each of its columns.
  for (const character of [...characters(text.slice(-16 * width))].reverse()) {
    if (displayWidth(end) + displayWidth(character) > tail) break;
    end = character + end;
  }
  return `${takeWidth(text, width - 1 - tail)}…${end}`;
}

/** Columns of one character as people see it. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (/^[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  if (/^\p{Emoji_Presentation}/u.test(character) || character.includes('\ufe0f')) return 2;
  return eastAsianWidth(code);
}
