import type { Issue } from '../types/issue.ts';
import { locationAt } from './location-at.ts';
import type { SourceFile } from './source-file.ts';
import type { Range } from './place-tree.ts';

/** One cell, without its quotes, and where it stands with them. */
export interface CsvCell {
  readonly text: string;
  readonly range: Range;
}

/** What parsing one text gave: lines of cells, the first of them included. */
export type CsvResult =
  | { readonly ok: true; readonly lines: readonly (readonly CsvCell[])[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Parses values between commas, semicolons or tabs, whichever the first line has most of (RFC 4180: `"` quotes, `""` is
 * one of them). Blanks around cells are dropped, and so are empty lines. Throws nothing.
 */
export function parseCsv(source: SourceFile): CsvResult {
  const { text } = source;
  const separator = separatorOf(text.split('\n', 1)[0] ?? '');
  const plain = new RegExp(`[^\\r\\n${separator}]*`, 'y');
  const lines: CsvCell[][] = [];
  let line: CsvCell[] = [];
  for (let at = 0; ; ) {
    while (text[at] === ' ') at++;
    const closing = text[at] === '"' ? closingQuote(text, at) : null;
    if (closing === -1) return { ok: false, issues: [unclosed(source, at)] };
    if (closing === null) {
      plain.lastIndex = at;
      const [found = ''] = plain.exec(text) ?? [];
      const trimmed = found.trim();
      const start = at + found.length - found.trimStart().length;
      line.push({ text: trimmed, range: [start, start + trimmed.length] });
      at += found.length;
    } else {
      line.push({ text: text.slice(at + 1, closing).replaceAll('""', '"'), range: [at, closing + 1] });
      at = closing + 1;
      while (text[at] === ' ') at++;
    }
    const next = text[at];
    if (next === separator) {
      at++;
      continue;
    }
    if (next !== undefined && next !== '\r' && next !== '\n')
      return { ok: false, issues: [textAfterQuote(source, at)] };
    if (line.length > 1 || line[0]?.text !== '') lines.push(line);
    line = [];
    if (next === undefined) return { ok: true, lines };
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

/** Where the quote that opens at a place is closed; -1: nowhere. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function separatorOf(line: string): string {
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function unclosed(source: SourceFile, at: number): Issue {
  return syntaxIssue(source, at, 'The quote that begins here is not closed.');
}

function textAfterQuote(source: SourceFile, at: number): Issue {
  return syntaxIssue(source, at, 'Text stands behind a closing quote.');
}

function syntaxIssue(source: SourceFile, at: number, message: string): Issue {
  const hint = 'Put the whole cell in quotes, and write "" for a quote inside of it.';
  return { code: 'csv_syntax', severity: 'error', message, at: locationAt(source, at), hint };
}
