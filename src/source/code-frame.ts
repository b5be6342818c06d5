import { characters } from '../text/characters.ts';
import { displayWidth } from '../text/display-width.ts';
import { hideCredentials, hideSecrets } from '../text/hide-credentials.ts';
import { TAB, visibleText } from '../text/visible-text.ts';

const CONTEXT_LINES = 1;
/** Columns of a line that are shown. */
const MAX_WIDTH = 100;
/** Places further to the right are shown in a window that starts `LEAD` characters before them. */
const LAST_UNCUT = 80;
const LEAD = 30;
const CUT = '…';
/** Code units of a line that are looked at: no writing needs so many for the columns that are shown. */
const MOST_UNITS = 32 * MAX_WIDTH;

/**
 * The lines around a place with a marker under it, ready to print. Line and columns count from 1, `endColumn` is
 * exclusive. Tabs become spaces, unsafe characters escapes, long lines a window around the place.
 */
export function codeFrame(text: string, line: number, column: number, endColumn: number = column + 1): string {
  const lines = linesAround(text, line);
  const width = String(lines.at(-1)?.number ?? line).length;
  const from = column - 1 <= LAST_UNCUT ? 0 : column - 1 - LEAD;
  const output: string[] = [];
  for (const entry of lines) {
    const number = String(entry.number).padStart(width);
    output.push(`${number} | ${shownLine(entry.text, from)}`.trimEnd());
    if (entry.number !== line) continue;
    const indent = widthBefore(entry.text, from, column - 1);
    const end = widthBefore(entry.text, from, Math.max(column, Math.min(endColumn - 1, entry.text.length)));
    const length = Math.max(1, Math.min(end, MAX_WIDTH) - indent);
    output.push(`${' '.repeat(width)} | ${' '.repeat(indent)}^${'~'.repeat(length - 1)}`);
  }
  return output.join('\n');
}

interface Line {
  readonly number: number;
  readonly text: string;
}

function linesAround(text: string, line: number): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let number = 1; number <= line + CONTEXT_LINES && start <= text.length; number++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    // The end of the text after its last line break is a line only when the place is there.
    const isNothing = newline === -1 && start === text.length && number !== line;
    if (number >= line - CONTEXT_LINES && !isNothing) {
      lines.push({
        number,
        text: hideSecrets(hideCredentials(text.slice(start, text[end - 1] === '\r' ? end - 1 : end))),
      });
    }
    start = end + 1;
  }
  return lines;
}

/** A line from one of its characters on, in at most `MAX_WIDTH` columns, with `…` where something is left out. */
function shownLine(text: string, from: number): string {
  const isCut = from > 0 && text.length > 0;
  let shown = isCut ? CUT : '';
  let columns = isCut ? 1 : 0;
  let at = from;
  for (const character of characters(text.slice(from, from + MOST_UNITS))) {
    const cell = shownCharacter(character);
    columns += displayWidth(cell);
    if (columns > (at + character.length >= text.length ? MAX_WIDTH : MAX_WIDTH - 1)) return shown + CUT;
    shown += cell;
    at += character.length;
  }
  return at < text.length ? shown + CUT : shown;
}

/** Columns of `shownLine` that stand before a place; a place past the end is as far away as it is past the end. */
function widthBefore(text: string, from: number, at: number): number {
  let columns = from > 0 ? 1 : 0;
  let end = from;
  for (const character of characters(text.slice(from, Math.min(at, from + MOST_UNITS)))) {
    if (columns >= MAX_WIDTH) return columns;
    columns += displayWidth(shownCharacter(character));
    end += character.length;
  }
  return columns + Math.max(0, Math.min(at - end, MAX_WIDTH - columns));
}

function shownCharacter(character: string): string {
  return character === '\t' ? TAB : visibleText(character);
}
