import { parseCsv } from '../source/csv-table.ts';
import { parseJsonDocument } from '../source/json-document.ts';
import { isTable } from '../source/json-schema.ts';
import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import { valueAt } from '../source/value-at.ts';
import { ROOT_LIST } from '../source/yaml-document.ts';
import type { Json } from '../types/json.ts';
import type { PublishedRow, PublishedTable, TableResult } from './published-table.ts';
import { type Field, passKey, Problems, readRow } from './read-row.ts';

/**
 * Reads the table of one file, whose form its content tells: a leaderboard submission of τ²-bench, a list of rows in JSON
 * (or an object with the list under `rows`, or a single row), or CSV. All problems at once; throws nothing.
 */
export function readTable(source: SourceFile): TableResult {
  return /^\s*[[{]/.test(source.text) ? readJson(source) : readCsv(source);
}

function readJson(source: SourceFile): TableResult {
  const parsed = parseJsonDocument(source);
  if (!parsed.ok) return { ok: false, reason: 'problems', issues: parsed.issues };
  const { document } = parsed;
  const problems = new Problems(source);
  const { data } = document;
  if (isTable(data.results)) {
    const rows = submissionRows(document, problems);
    if (rows !== null) {
      const columns = columnsOf(Object.values(data.results).flatMap(keysOf));
      return tableOf({ source, benchmark: 'tau2', columns, rows }, problems);
    }
  }
  const list = [ROOT_LIST, 'rows'].find((key) => Array.isArray(data[key]));
  const pointers: readonly Pointer[] =
    list === undefined ? [[]] : (data[list] as readonly Json[]).map((_, index) => [list, index]);
  const columns = columnsOf(pointers.flatMap((pointer) => keysOf(valueAt(data, pointer))));
  if (columns === 0 && String(data.schema).startsWith('passk-report/')) return ownReport(source);
  if (columns === 0) return noTable(source, keysOf(valueAt(data, pointers[0] ?? [])));
  const rows = pointers.flatMap((pointer) => {
    const range = document.range(pointer);
    if (isTable(valueAt(data, pointer))) return [readRow(fieldsAt(document, pointer), { range }, problems)];
    problems.tell('wrong_type', 'A row must be an object.', range, 'Write the keys name, tasks, pass^1, pass^2, ….');
    return [];
  });
  return tableOf({ source, benchmark: null, columns, rows }, problems);
}

/**
 * One row for each domain that was submitted; null: this is no submission. Source: τ²-bench, web/leaderboard, whose
 * schema has `model_name` and, under `results`, `pass_1` … `pass_4` in percent for each domain.
 */
function submissionRows(document: SourceDocument, problems: Problems): readonly PublishedRow[] | null {
  const { data } = document;
  const domains = Object.entries(isTable(data.results) ? data.results : {});
  const isSubmission =
    typeof data.model_name === 'string' || columnsOf(domains.flatMap(([, domain]) => keysOf(domain))) > 0;
  if (!isSubmission) return null;
  const name = typeof data.model_name === 'string' ? data.model_name : '';
  return domains.flatMap(([domain, values]) => {
    // A domain that was not submitted.
    if (values === null) return [];
    const pointer = ['results', domain];
    if (isTable(values)) {
      const frame = { range: document.range(pointer, 'key'), name, domain };
      return [readRow(fieldsAt(document, pointer), frame, problems)];
    }
    const hint = 'Write pass_1 to pass_4, or null for a domain that was not submitted.';
    problems.tell('wrong_type', `"results.${domain}" must be an object.`, document.range(pointer), hint);
    return [];
  });
}

/** The highest k among keys; 0: none is of a pass^k. */
function columnsOf(keys: readonly string[]): number {
  return keys.reduce((most, key) => Math.max(most, passKey(key) ?? 0), 0);
}

function keysOf(value: Json | undefined): readonly string[] {
  return value !== undefined && isTable(value) ? Object.keys(value) : [];
}

function fieldsAt(document: SourceDocument, pointer: Pointer): readonly Field[] {
  const row = valueAt(document.data, pointer);
  return keysOf(row).map((key): Field => {
    const at = [...pointer, key];
    const value = valueAt(document.data, at) ?? null;
    const [keyRange, range] = [document.range(at, 'key'), document.range(at)];
    const isSingle =
      value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
    const printed = typeof value === 'string' ? value : document.source.text.slice(...range);
    return { key, keyRange, range, isSingle, text: value === null || !isSingle ? null : printed };
  });
}

function readCsv(source: SourceFile): TableResult {
  const parsed = parseCsv(source);
  if (!parsed.ok) return { ok: false, reason: 'problems', issues: parsed.issues };
  const [head = [], ...lines] = parsed.lines;
  const columns = columnsOf(head.map(({ text }) => text));
  if (columns === 0)
    return noTable(
      source,
      head.map(({ text }) => text),
    );
  const problems = new Problems(source);
  for (const [index, { text, range }] of head.entries()) {
    if (head.findIndex((other) => other.text === text) === index || text === '') continue;
    problems.tell('duplicate_key', `The column "${text.slice(0, 60)}" stands here again.`, range, 'Keep one of them.');
  }
  const rows = lines.map((cells) => {
    const [first] = cells;
    const range = first?.range ?? [0, 0];
    if (cells.length > head.length) {
      const extra = cells[head.length]?.range ?? range;
      const hint = 'Put cells with a separator in them in quotes.';
      problems.tell('ragged_row', `The row has ${cells.length} cells under ${head.length} columns.`, extra, hint);
    }
    const fields = head.flatMap(({ text: key, range: keyRange }, index): readonly Field[] => {
      const cell = cells[index];
      return cell === undefined ? [] : [{ key, keyRange, text: cell.text, isSingle: true, range: cell.range }];
    });
    return readRow(fields, { range }, problems);
  });
  return tableOf({ source, benchmark: null, columns, rows }, problems);
}

function tableOf(table: PublishedTable, { issues }: Problems): TableResult {
  return issues.length > 0 ? { ok: false, reason: 'problems', issues } : { ok: true, table };
}

/** Whoever counted the trials needs no guess at what they were. */
function ownReport(source: SourceFile): TableResult {
  const hint = `Tables are what others publish without their trials. passk score ${source.name} shows pass^1, pass^2, ….`;
  return without(source, `File "${source.name}" is a report of passk, which counts trials and is no table.`, hint);
}

function noTable(source: SourceFile, keys: readonly string[]): TableResult {
  const similar = keys.filter((key) => /pass/i.test(key)).slice(0, 5);
  const others = similar.map((key) => `"${key.slice(0, 40)}"`).join(', ');
  const hint =
    similar.length === 0 ? '' : ` ${others} ${similar.length === 1 ? 'is another name' : 'are other names'}.`;
  return without(
    source,
    `File "${source.name}" has no column pass^1, pass^2, … or pass_1, pass_2, ….`,
    `Name a file with such columns, in JSON or CSV, or a submission to the leaderboard of τ²-bench.${hint}`,
  );
}

function without(source: SourceFile, message: string, hint: string): TableResult {
  const issue = { code: 'no_table', severity: 'error', message, at: locationAt(source, 0), hint } as const;
  return { ok: false, reason: 'no_table', issues: [issue] };
}
