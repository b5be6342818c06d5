import { parseCsv } from '../source/csv-table.ts';
import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import { repeatedKey } from '../values/repeated-key.ts';

/** Cells of one row; undefined: it has no such column, or nothing in it. */
export type RowCells<Column extends string> = Readonly<Partial<Record<Column, unknown>>>;

/** What rows are made of. */
export interface RowForm<Column extends string> {
  readonly columns: readonly Column[];
  /** Of each list a file of CSV must have one. */
  readonly needs: readonly (readonly Column[])[];
  /** What a file should look like. */
  readonly hint: string;
}

export interface FoundRow<Column extends string> {
  readonly cells: RowCells<Column>;
  readonly offset: number;
}

export type FoundRows<Column extends string> =
  | { readonly ok: true; readonly rows: readonly FoundRow<Column>[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Problems of one file that are listed; the rest would be more of the same. */
const MOST_ISSUES = 20;

/** Reads rows of JSON Lines or CSV, as far as their columns are known. Throws nothing. */
export function readRows<Column extends string>(source: SourceFile, form: RowForm<Column>): FoundRows<Column> {
  return /^\s*\{/.test(source.text) ? jsonRows(source, form) : csvRows(source, form);
}

export function rowProblem(
  source: SourceFile,
  { message, hint, offset = 0 }: { readonly message: string; readonly hint: string; readonly offset?: number },
): Issue {
  return { code: 'no_labels', severity: 'error', message, at: locationAt(source, offset), hint };
}

function jsonRows<Column extends string>(source: SourceFile, { columns, hint }: RowForm<Column>): FoundRows<Column> {
  const rows: FoundRow<Column>[] = [];
  const issues: Issue[] = [];
  let offset = 0;
  for (const line of source.text.split('\n')) {
    const cells = line.trim() === '' ? null : parsedLine(line, columns);
    if (typeof cells === 'string') issues.push(rowProblem(source, { message: cells, hint, offset }));
    else if (cells !== null) rows.push({ cells, offset });
    if (issues.length === MOST_ISSUES) break;
    offset += line.length + 1;
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, rows };
}

/** Cells of a line, or what is wrong with it. */
function parsedLine<Column extends string>(line: string, columns: readonly Column[]): RowCells<Column> | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'The line is no JSON.';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'The line is no JSON object.';
  const twice = repeatedKey(line);
  if (twice !== null) return `The key ${JSON.stringify(twice)} stands twice in the line.`;
  const table = value as RowCells<Column>;
  return cellsOf(columns.filter((column) => Object.hasOwn(table, column)).map((column) => [column, table[column]]));
}

function cellsOf<Column extends string>(entries: readonly (readonly [Column, unknown])[]): RowCells<Column> {
  // Only columns are keys here.
  return Object.fromEntries(entries) as RowCells<Column>;
}

function csvRows<Column extends string>(
  source: SourceFile,
  { columns: allowed, needs, hint }: RowForm<Column>,
): FoundRows<Column> {
  const parsed = parseCsv(source);
  if (!parsed.ok) return parsed;
  const refused = (message: string): FoundRows<Column> => ({
    ok: false,
    issues: [rowProblem(source, { message, hint })],
  });
  const [head = [], ...lines] = parsed.lines;
  const columns = head.map(({ text }) => allowed.find((column) => column === text.toLowerCase()) ?? null);
  const twice = allowed.find((column) => columns.filter((one) => one === column).length > 1);
  if (twice !== undefined) return refused(`The column "${twice}" stands twice.`);
  for (const wanted of needs) {
    if (wanted.some((column) => columns.includes(column))) continue;
    return refused(`The file has no column "${wanted.join('" or "')}".`);
  }
  const rows = lines.map((line): FoundRow<Column> => {
    const cells = line.flatMap(({ text }, at) => {
      const column = columns[at] ?? null;
      return column === null || text === '' ? [] : [[column, text] as const];
    });
    return { cells: cellsOf(cells), offset: line[0]?.range[0] ?? 0 };
  });
  return { ok: true, rows };
}
