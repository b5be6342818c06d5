import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Range } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import { MOST_HISTOGRAM_TRIALS } from '../stats/success-histogram.ts';
import { parsePrintedRate } from './printed-rate.ts';
import type { Placed, PrintedValue, PublishedRow } from './published-table.ts';

/** A named place of a row, whatever kind of file it stands in. */
export interface Field {
  readonly key: string;
  readonly keyRange: Range;
  /** As printed; null: nothing stands there, or no single value. */
  readonly text: string | null;
  /** False: a list or table, which no field of a row is. */
  readonly isSingle: boolean;
  readonly range: Range;
}

/** What a row says of itself outside of its fields. */
export interface RowFrame {
  readonly range: Range;
  readonly name?: string;
  readonly domain?: string;
}

/** Problems of one file that are listed; the rest would be more of the same. */
const MAX_ISSUES = 200;

/** Problems of one file while it is read. */
export class Problems {
  private readonly source: SourceFile;
  private readonly found: { readonly start: number; readonly issue: Issue }[] = [];
  private readonly seen = new Set<string>();

  constructor(source: SourceFile) {
    this.source = source;
  }

  /** Each once: what is wrong with a column is found again in every row. */
  tell(code: string, message: string, range: Range, hint: string): void {
    const key = `${range[0]} ${message}`;
    if (this.seen.has(key) || this.seen.size >= MAX_ISSUES) return;
    this.seen.add(key);
    const at = locationAt(this.source, ...range);
    this.found.push({ start: range[0], issue: { code, severity: 'error', message, at, hint } });
  }

  /** In the order of the file. */
  get issues(): readonly Issue[] {
    return this.found.toSorted((a, b) => a.start - b.start).map(({ issue }) => issue);
  }
}

/** k of `pass^k` or `pass_k`; null: another key. */
export function passKey(key: string): number | null {
  const [, k] = /^pass[\^_](\d{1,6})$/.exec(key) ?? [];
  return k === undefined ? null : Number(k);
}

/** Words for a value that is not there. */
const NOTHING = new Set(['', '-', '–', '—', 'n/a', 'na', 'nan', 'null', 'none']);

/** Reads one row; keys that mean nothing here are passed over. */
export function readRow(fields: readonly Field[], frame: RowFrame, problems: Problems): PublishedRow {
  const values = new Map<number, PrintedValue>();
  for (const field of fields) {
    const k = passKey(field.key);
    if (k === null) continue;
    if (k < 1 || k > MOST_HISTOGRAM_TRIALS) {
      const message = `"${field.key}" is not looked at: k goes from 1 to ${MOST_HISTOGRAM_TRIALS}.`;
      problems.tell('bad_k', message, field.keyRange, 'Leave the column out.');
      continue;
    }
    const value = printedValue(field, problems);
    if (value !== null && values.has(k)) {
      problems.tell('duplicate_k', `pass^${k} stands in this row twice.`, field.range, 'Keep one of them.');
    } else if (value !== null) values.set(k, value);
  }
  return {
    range: frame.range,
    name: frame.name ?? textOf('name', fields, problems),
    domain: frame.domain ?? textOf('domain', fields, problems),
    tasks: wholeOf('tasks', fields, problems),
    trials: wholeOf('trials', fields, problems),
    values,
  };
}

function isNothing({ text, isSingle }: Field): boolean {
  return isSingle && (text === null || NOTHING.has(text.trim().toLowerCase()));
}

function printedValue(field: Field, problems: Problems): PrintedValue | null {
  if (isNothing(field)) return null;
  const { key, text, range } = field;
  if (text === null) {
    problems.tell('wrong_type', `"${key}" must be one number.`, range, 'Write a number, or null.');
    return null;
  }
  const rate = parsePrintedRate(text.trim());
  if (!('problem' in rate)) return { text: text.trim(), rate, range };
  problems.tell('bad_rate', `"${shown(text)}" ${rate.problem}.`, range, rate.hint);
  return null;
}

function textOf(key: string, fields: readonly Field[], problems: Problems): string {
  const field = fields.find((one) => one.key === key);
  if (field === undefined || (field.isSingle && field.text === null)) return '';
  if (field.text !== null) return field.text.trim();
  problems.tell('wrong_type', `"${key}" must be a text.`, field.range, 'Write one text.');
  return '';
}

function wholeOf(key: string, fields: readonly Field[], problems: Problems): Placed<number> | null {
  const field = fields.find((one) => one.key === key);
  if (field === undefined || isNothing(field)) return null;
  const { text, range } = field;
  const value = text === null || !/^\d{1,9}$/.test(text.trim()) ? 0 : Number(text);
  if (value > 0) return { value, range };
  const found = text === null ? '' : `, not "${shown(text)}"`;
  problems.tell(
    'bad_count',
    `"${key}" must be a whole number from 1${found}.`,
    range,
    `Write how many ${key} there were.`,
  );
  return null;
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
