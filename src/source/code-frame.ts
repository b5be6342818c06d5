const CONTEXT_LINES = 1;
const TAB_WIDTH = 2;
const MAX_WIDTH = 100;
/** Columns kept to the left of the place when a long line is cut. */
const LEAD = 30;
const CUT = '…';

/**
 * The lines around a place with a marker under it, ready to print. Line and columns count from 1, `endColumn` is
 * exclusive. Tabs are shown as spaces, control characters as visible ones, long lines as a window around the place.
 */
export function codeFrame(text: string, line: number, column: number, endColumn: number = column + 1): string {
  const lines = linesAround(text, line);
  const last = lines.at(-1)?.number ?? line;
  const width = String(last).length;
  const place = lines.find((entry) => entry.number === line)?.text ?? '';
  const shown = windowOf(place, column - 1);
  const output: string[] = [];
  for (const entry of lines) {
    const number = String(entry.number).padStart(width);
    const { body } = entry.number === line ? shown : render(entry.text, shown.from);
    output.push(`${number} | ${body}`.trimEnd());
    if (entry.number !== line) continue;
    const indent = columnsTo(place, shown, column - 1);
    const end = columnsTo(place, shown, Math.min(Math.max(endColumn - 1, column), Math.max(place.length, column)));
    const length = Math.max(1, Math.min(end, MAX_WIDTH) - indent);
    output.push(`${' '.repeat(width)} | ${' '.repeat(indent)}^${'~'.repeat(length - 1)}`);
  }
  return output.join('\n');
}

interface Shown {
  readonly body: string;
  /** First character shown. */
  readonly from: number;
}

function linesAround(text: string, line: number): { readonly number: number; readonly text: string }[] {
  const lines: { number: number; text: string }[] = [];
  let start = 0;
  for (let number = 1; number <= line + CONTEXT_LINES && start <= text.length; number++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (number >= line - CONTEXT_LINES) {
      const isLastEmpty = newline === -1 && start === text.length && number > line;
      if (!isLastEmpty) lines.push({ number, text: text.slice(start, text[end - 1] === '\r' ? end - 1 : end) });
    }
    start = end + 1;
  }
  return lines;
}

function windowOf(text: string, at: number): Shown {
  const from = at <= MAX_WIDTH - 20 ? 0 : at - LEAD;
  return render(text, from);
}

function render(text: string, from: number): Shown {
  if (from >= text.length && from > 0) return { body: text.length > 0 ? CUT : '', from };
  let body = from > 0 ? CUT : '';
  for (let at = from; at < text.length; at++) {
    const next = visible(text, at);
    if (body.length + next.length > MAX_WIDTH) return { body: `${body.slice(0, MAX_WIDTH - 1)}${CUT}`, from };
    body += next;
  }
  return { body, from };
}

function columnsTo(text: string, shown: Shown, at: number): number {
  let columns = shown.from > 0 ? 1 : 0;
  for (let i = shown.from; i < at; i++) columns += i < text.length ? displayWidth(visible(text, i)) : 1;
  return columns;
}

/** How one UTF-16 code unit is shown. A terminal must not obey what a file contains. */
function visible(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code === 0x09) return ' '.repeat(TAB_WIDTH);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if ((code >= 0x80 && code < 0xa0) || isInvisible(code)) return '\ufffd';
  return text.charAt(at);
}

/** Line and paragraph separators, and marks that reorder or hide the text around them. */
function isInvisible(code: number): boolean {
  if (code >= 0x200b && code <= 0x200f) return true;
  if (code >= 0x2028 && code <= 0x202e) return true;
  return (code >= 0x2060 && code <= 0x206f) || code === 0xfeff;
}

function displayWidth(shown: string): number {
  return shown.length;
}
