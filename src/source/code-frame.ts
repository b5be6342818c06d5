import { hideCredentials } from '../values/hide-credentials.ts';
import { unitWidth, visibleUnit } from './visible-text.ts';

const CONTEXT_LINES = 1;
const TAB_WIDTH = 2;
/** Columns of a line that are shown. */
const MAX_WIDTH = 100;
/** Places further to the right are shown in a window that starts `LEAD` characters before them. */
const LAST_UNCUT = 80;
const LEAD = 30;
const CUT = '…';

/**
 * The lines around a place with a marker under it, ready to print. Line and columns count from 1, `endColumn` is
 * exclusive. Tabs become spaces, control characters visible ones, long lines a window around the place.
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
      lines.push({ number, text: hideCredentials(text.slice(start, text[end - 1] === '\r' ? end - 1 : end)) });
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
  for (let at = from; at < text.length; at++) {
    const width = widthAt(text, at);
    const isLast = at === text.length - 1;
    // The second half of a surrogate pair goes with the first.
    if (columns + width > (isLast || isLowSurrogate(text, at) ? MAX_WIDTH : MAX_WIDTH - 1)) return shown + CUT;
    if (isHighSurrogate(text, at) && columns + 2 > MAX_WIDTH - 1) return shown + CUT;
    shown += text[at] === '\t' ? ' '.repeat(TAB_WIDTH) : visibleUnit(text.charCodeAt(at));
    columns += width;
  }
  return shown;
}

function widthBefore(text: string, from: number, at: number): number {
  let columns = from > 0 ? 1 : 0;
  for (let i = from; i < at && columns < MAX_WIDTH; i++) columns += i < text.length ? widthAt(text, i) : 1;
  return columns;
}

function widthAt(text: string, at: number): number {
  return text[at] === '\t' ? TAB_WIDTH : unitWidth(text.charCodeAt(at));
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
