import { displayWidth, takeWidth } from '../../text/display-width.ts';
import type { Role, TextStyle } from './text-style.ts';

/** A blank at which no line is broken; it is shown as a blank. */
const NO_BREAK = '\u00a0';

/**
 * `text` in lines of at most `width` columns, broken at blanks, or inside a word that is wider than a line; a number stays
 * with its percent sign.
 */
export function wrapText(text: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.replace(/(?<=\d) (?=%)/g, NO_BREAK).split(' ')) {
    const wordWidth = displayWidth(word);
    if (line !== '' && used + 1 + wordWidth <= room) {
      line += ` ${word}`;
      used += 1 + wordWidth;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    used = wordWidth;
    while (used > room) {
      const fitting = takeWidth(line, room);
      const last = fitting.lastIndexOf(NO_BREAK);
      // A dot between parts does not end a line alone.
      const blank = line.slice(last + 1) === '·' ? fitting.lastIndexOf(NO_BREAK, last - 1) : last;
      // A wide character does not fit a line of one column: the line gets wider, and nothing is lost.
      const head = blank > 0 ? line.slice(0, blank) : fitting || String.fromCodePoint(line.codePointAt(0) ?? 0x20);
      lines.push(head);
      line = line.slice(blank > 0 ? blank + 1 : head.length);
      used = displayWidth(line);
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines.map((wrapped) => wrapped.replaceAll(NO_BREAK, ' '));
}

/** Parts with dots between them. A line ends only between parts. */
export function joinParts(parts: readonly string[], separator = ' · '): string {
  return parts.map((part) => part.replaceAll(' ', NO_BREAK)).join(`${separator.trimEnd().replaceAll(' ', NO_BREAK)} `);
}

/** Wrapped lines with `first` before the first and blanks of the same width before the others. */
export function hangText(first: string, text: string, width: number): readonly string[] {
  const indent = displayWidth(first);
  return wrapText(text, width - indent).map((line, i) => (i === 0 ? first : ' '.repeat(indent)) + line);
}

/** The same with only `first` painted. */
export function hangPainted(
  first: string,
  text: string,
  { role, style }: { readonly role: Role; readonly style: TextStyle },
): readonly string[] {
  return hangText(first, text, style.columns).map((line, at) =>
    at === 0 ? `${style.paint(role, line.slice(0, first.length))}${line.slice(first.length)}` : line,
  );
}
