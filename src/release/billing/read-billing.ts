import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { digestOf } from '../../records/plan-digest.ts';
import { parseCsv } from '../../source/csv-table.ts';
import { parseJsonDocument } from '../../source/json-document.ts';
import { isTable } from '../../source/json-schema.ts';
import { locationAt } from '../../source/location-at.ts';
import type { Pointer, Range } from '../../source/place-tree.ts';
import { readSource, type SourceFile } from '../../source/source-file.ts';
import { valueAt } from '../../source/value-at.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';
import type { BilledItem, BillingStatement } from '../../types/release/billing-facts.ts';
import type { BillingExport } from '../../types/release/release-rules.ts';

/** Larger exports are refused. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ISSUES = 50;
const MOST_ITEMS = 1000;
/** Of a single row; sums may be larger. */
const MOST_USD = 1e6;
const COVERED = ['model', 'judge', 'user'] as const;

/** Reads an export of what a provider billed; its file starts from `cwd`. Throws `INPUT` with all problems and their places. */
export function readBilling(billing: BillingExport, cwd: string): BillingStatement {
  const root = path.resolve(cwd);
  const read = readSource(path.resolve(root, billing.file), { root, maxBytes: MOST_BYTES });
  if (!read.ok) throw unusable(read.issues);
  const summed = sumBilling(read.source, billing);
  if (!summed.ok) throw unusable(summed.issues);
  const { rows, nanoUsd, items } = summed;
  return {
    hash: digestOf(read.source.text),
    rows,
    billedNanoUsd: String(nanoUsd),
    kinds: billing.kinds ?? COVERED,
    tolerance: billing.tolerance ?? 0.05,
    ...(items !== undefined && { items }),
  };
}

export type SummedBilling =
  | {
      readonly ok: true;
      readonly rows: number;
      readonly nanoUsd: bigint;
      /** Absent: nobody asked for what rows are for. */
      readonly items?: readonly BilledItem[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What the rows of an export come to, in billionths of a dollar. All problems at once; throws nothing. */
export function sumBilling(
  source: SourceFile,
  { amount = 'cost', currency, only = {}, item, items = {} }: Omit<BillingExport, 'file' | 'kinds' | 'tolerance'>,
): SummedBilling {
  const table = /^\s*[[{]/.test(source.text) ? jsonTable(source) : csvTable(source);
  if (!table.ok) return table;
  const { columns, rows } = table;
  const asked = [
    amount,
    ...(currency === undefined ? [] : [currency]),
    ...(item === undefined ? [] : [item]),
    ...Object.keys(only),
  ];
  const missing = asked.filter((name) => !columns.has(name));
  const issues: Issue[] = missing.map((name) =>
    problem(source, 'missing_column', `There is no column "${name}".`, [0, 1], hintFor(name, [...columns], 'columns')),
  );
  if (issues.length > 0) return { ok: false, issues };
  const inCurrency = currency ?? (columns.has('currency') ? 'currency' : null);
  const byItem = new Map<string, bigint>();
  let [nanoUsd, counted] = [0n, 0];
  for (const row of rows) {
    if (Object.entries(only).some(([name, wanted]) => row.get(name)?.text !== wanted)) continue;
    const cell = row.get(amount);
    const money = inCurrency === null ? null : row.get(inCurrency);
    const usd = cell === undefined ? null : amountOf(cell.text);
    if (money !== null && money?.text.toUpperCase() !== 'USD') {
      const [text, range] = [money?.text ?? '', money?.range ?? cell?.range ?? row.range];
      issues.push(
        problem(
          source,
          'foreign_currency',
          `The row is in "${text.slice(0, 20)}", not in USD.`,
          range,
          'Export it in USD.',
        ),
      );
    } else if (usd === null) {
      const [text, range] = [cell?.text ?? '', cell?.range ?? row.range];
      const hint = 'Amounts are numbers from 0 to a million, without signs and separators.';
      issues.push(problem(source, 'no_amount', `"${text.slice(0, 40)}" is no amount.`, range, hint));
    } else {
      nanoUsd += usd;
      counted++;
      if (item !== undefined) {
        const text = row.get(item)?.text ?? '';
        const name = Object.hasOwn(items, text) ? (items[text] ?? text) : text;
        byItem.set(name, (byItem.get(name) ?? 0n) + usd);
      }
    }
    if (issues.length >= MOST_ISSUES) break;
  }
  if (counted === 0 && issues.length === 0) {
    issues.push(problem(source, 'no_row', 'No row counts.', [0, 1], 'Look at what [release.billing] says under only.'));
  }
  if (byItem.size > MOST_ITEMS) {
    const message = `Rows are for ${byItem.size} different things; at most ${MOST_ITEMS} are compared.`;
    issues.push(problem(source, 'many_items', message, [0, 1], `Name another column than "${item}", or none.`));
  }
  if (issues.length > 0) return { ok: false, issues };
  if (item === undefined) return { ok: true, rows: counted, nanoUsd };
  const billed = [...byItem].map(([name, sum]) => ({ name, billedNanoUsd: String(sum) }));
  return { ok: true, rows: counted, nanoUsd, items: billed.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Billionths of a dollar; null: the text is no number from 0 to the most. */
function amountOf(text: string): bigint | null {
  if (!/^\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)) return null;
  const usd = Number(text);
  return usd <= MOST_USD ? BigInt(Math.round(usd * 1e9)) : null;
}

interface Cell {
  readonly text: string;
  readonly range: Range;
}

interface Row {
  readonly range: Range;
  get(column: string): Cell | undefined;
}

type Table =
  | { readonly ok: true; readonly columns: ReadonlySet<string>; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

function csvTable(source: SourceFile): Table {
  const parsed = parseCsv(source);
  if (!parsed.ok) return parsed;
  const [head = [], ...lines] = parsed.lines;
  const places = new Map(head.map(({ text }, at) => [text, at]));
  const rows = lines.map((cells): Row => {
    const range: Range = [cells[0]?.range[0] ?? 0, cells.at(-1)?.range[1] ?? 1];
    return { range, get: (column) => cells[places.get(column) ?? -1] };
  });
  const extra = lines.find((cells) => cells.length > head.length)?.[head.length];
  if (extra === undefined) return { ok: true, columns: new Set(places.keys()), rows };
  const hint = 'Put cells with a separator in them in quotes.';
  return {
    ok: false,
    issues: [problem(source, 'ragged_row', 'The row has more cells than there are columns.', extra.range, hint)],
  };
}

function jsonTable(source: SourceFile): Table {
  const parsed = parseJsonDocument(source);
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  const list = LISTS.find((key) => Array.isArray(document.data[key]));
  if (list === undefined) {
    const hint = 'Name a file with a list of rows, at its top or under rows or data.';
    return { ok: false, issues: [problem(source, 'no_rows', 'There is no list of rows.', [0, 1], hint)] };
  }
  const items = document.data[list] as readonly Json[];
  const columns = new Set<string>();
  for (const item of items) for (const name of pathsIn(item)) columns.add(name);
  const rows = items.map((item, index): Row => {
    const at: Pointer = [list, index];
    return {
      range: document.range(at),
      get: (column) => {
        // A name that has a dot itself goes first.
        const path = isTable(item) && Object.hasOwn(item, column) ? [column] : column.split('.');
        const value = valueAt(isTable(item) ? item : {}, path);
        if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
        return { text: String(value), range: document.range([...at, ...path]) };
      },
    };
  });
  return { ok: true, columns, rows };
}

const LISTS = [ROOT_LIST, 'rows', 'data'];
const MOST_DEPTH = 4;

/** Names of the values in a row, with dots where they are nested. */
function pathsIn(value: Json, before = '', depth = 0): readonly string[] {
  if (!isTable(value) || depth >= MOST_DEPTH) return before === '' ? [] : [before];
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsIn(inner, before === '' ? key : `${before}.${key}`, depth + 1),
  );
}

function problem(source: SourceFile, code: string, message: string, range: Range, hint: string): Issue {
  return { code, severity: 'error', message, at: locationAt(source, ...range), hint };
}

function unusable(issues: readonly Issue[]): PasskError {
  return new PasskError('INPUT', 'The bill cannot be used.', { issues });
}
