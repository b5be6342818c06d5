import { exactJsonText } from '../values/exact-json.ts';
import type { TrialRow } from '../types/rows/trial-row.ts';

/** Formats of tables of trials. */
export const TABLE_FORMATS = ['jsonl', 'csv'] as const;
/** How rows of trials are written. */
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The columns in their order. The compiler finds a missing one. */
const COLUMNS = Object.keys({
  set: 0,
  task: 0,
  attempt: 0,
  trial: 0,
  id: 0,
  verdict: 0,
  passed: 0,
  error: 0,
  score: 0,
  scores: 0,
  cost_usd: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  duration_ms: 0,
  model_calls: 0,
  tool_calls: 0,
  format: 0,
  file: 0,
  byte: 0,
  crossed: 0,
} satisfies Readonly<Record<keyof TrialRow, 0>>) as readonly (keyof TrialRow)[];

/** What stands before the rows; '' for JSON Lines. */
export function trialRowsHead(format: TableFormat): string {
  return format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '';
}

/**
 * A row with its line end. JSON Lines: an object, exact. CSV (RFC 4180, UTF-8): null is an empty cell, an empty text is `""`,
 * lists and objects are JSON. A text that a spreadsheet would take for a formula has an apostrophe put before it.
 */
export function renderTrialRow(row: TrialRow, format: TableFormat): string {
  if (format === 'jsonl')
    return `${exactJsonText(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])))}\n`;
  return `${COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`;
}

function csvCell(value: TrialRow[keyof TrialRow]): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmless(value.toWellFormed()) : exactJsonText(value);
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A text that no spreadsheet takes for a formula. One that begins with apostrophes gets one more, so that no two texts
 * become equal.
 */
function harmless(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
