import { parseCsv } from '../source/csv-table.ts';
import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import { readRubricVerdict } from './read-rubric-verdict.ts';

/** One item that people or a judge, or both, have judged. */
export interface LabelRow {
  /** Unique with `criterion`; null: the row has none. */
  readonly id: string | null;
  readonly criterion: string;
  /** Null: nobody labelled it. */
  readonly human: boolean | null;
  /** Null: the judge gave no verdict, or none that can be read. */
  readonly judge: boolean | null;
  /** Where it begins. A line is counted only when a problem is told: there may be a million rows. */
  readonly place: { readonly source: SourceFile; readonly offset: number };
}

export type LabelsResult =
  | { readonly ok: true; readonly rows: readonly LabelRow[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const COLUMNS = ['id', 'criterion', 'human', 'judge', 'answer', 'mark'] as const;
type Column = (typeof COLUMNS)[number];
/** Cells of one row; undefined: it has no such column, or nothing in it. */
type Cells = Readonly<Partial<Record<Column, unknown>>>;

/** Problems of one file that are listed; the rest would be more of the same. */
const MOST_ISSUES = 20;

/**
 * Reads rows of JSON Lines or CSV with a column `human`, and `judge` or the recorded `answer` of a judge with its `mark`;
 * answers are read again as they were when the judge gave them. `id` tells items apart, `criterion` what was asked of
 * them. Throws nothing.
 */
export function readLabels(source: SourceFile): LabelsResult {
  const found = /^\s*\{/.test(source.text) ? jsonRows(source) : csvRows(source);
  if (!found.ok) return found;
  const issues: Issue[] = [];
  const rows: LabelRow[] = [];
  for (const { cells, offset } of found.rows) {
    const row = readRow(cells);
    if (typeof row === 'string') {
      const at = locationAt(source, offset);
      issues.push({ code: 'bad_label', severity: 'error', message: row, at, hint: HINT });
    } else rows.push({ ...row, place: { source, offset } });
    if (issues.length === MOST_ISSUES) break;
  }
  if (issues.length > 0) return { ok: false, issues };
  if (rows.length > 0) return { ok: true, rows };
  return { ok: false, issues: [problem(source, 0, 'The file has no row.')] };
}

const HINT = 'Labels and verdicts are pass or fail, true or false, yes or no, 1 or 0; an empty one is none.';
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['pass', 'passed', 'true', 'yes', 'met', '1'].map((word) => [word, true] as const),
  ...['fail', 'failed', 'false', 'no', 'unmet', '0'].map((word) => [word, false] as const),
]);

interface FoundRow {
  readonly cells: Cells;
  readonly offset: number;
}

type FoundRows =
  | { readonly ok: true; readonly rows: readonly FoundRow[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

function jsonRows(source: SourceFile): FoundRows {
  const rows: FoundRow[] = [];
  const issues: Issue[] = [];
  let offset = 0;
  for (const line of source.text.split('\n')) {
    const cells = line.trim() === '' ? null : parsedLine(line);
    if (typeof cells === 'string') issues.push(problem(source, offset, cells));
    else if (cells !== null) rows.push({ cells, offset });
    if (issues.length === MOST_ISSUES) break;
    offset += line.length + 1;
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, rows };
}

/** Cells of a line, or what is wrong with it. */
function parsedLine(line: string): Cells | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'The line is no JSON.';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'The line is no JSON object.';
  const entries = COLUMNS.filter((column) => Object.hasOwn(value, column));
  return Object.fromEntries(entries.map((column) => [column, (value as Cells)[column]]));
}

function csvRows(source: SourceFile): FoundRows {
  const parsed = parseCsv(source);
  if (!parsed.ok) return parsed;
  const [head = [], ...lines] = parsed.lines;
  const columns = head.map(({ text }) => COLUMNS.find((column) => column === text.toLowerCase()) ?? null);
  const twice = COLUMNS.find((column) => columns.filter((one) => one === column).length > 1);
  if (twice !== undefined) return { ok: false, issues: [problem(source, 0, `The column "${twice}" stands twice.`)] };
  for (const wanted of [['human'], ['judge', 'answer']] as const) {
    if (wanted.some((column) => columns.includes(column))) continue;
    return { ok: false, issues: [problem(source, 0, `The file has no column "${wanted.join('" or "')}".`)] };
  }
  const rows = lines.map((line): FoundRow => {
    const cells = line.flatMap(({ text }, at) => {
      const column = columns[at] ?? null;
      return column === null || text === '' ? [] : [[column, text] as const];
    });
    return { cells: Object.fromEntries(cells), offset: line[0]?.range[0] ?? 0 };
  });
  return { ok: true, rows };
}

/** A row, or what is wrong with it. */
function readRow({ id, criterion, human, judge, answer, mark }: Cells): Omit<LabelRow, 'place'> | string {
  const label = readWord(human);
  const verdict = answer === undefined ? readWord(judge) : readAnswer({ answer, mark, criterion });
  if (label === undefined) return `The label ${shown(human)} is neither a pass nor a fail.`;
  if (verdict === undefined) return `The verdict ${shown(judge)} is neither a pass nor a fail.`;
  if (answer !== undefined && judge !== undefined) return 'The row has both a verdict and an answer.';
  if (answer !== undefined && typeof mark !== 'string') return 'An answer needs the mark of its question.';
  if (answer !== undefined && typeof criterion !== 'string') return 'An answer needs its criterion.';
  return {
    id: id === undefined || id === null ? null : String(id),
    criterion: typeof criterion === 'string' ? criterion : '',
    human: label,
    judge: verdict,
  };
}

/** Null: there is none. Undefined: it is no word for one. */
function readWord(value: unknown): boolean | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'string') return WORDS.get(String(value).trim().toLowerCase());
  return undefined;
}

/** The verdict that a recorded answer gives on its criterion; null: none can be read. */
function readAnswer({ answer, mark, criterion }: Cells): boolean | null {
  if (typeof answer !== 'string' || typeof mark !== 'string' || typeof criterion !== 'string') return null;
  const reading = readRubricVerdict(answer, [criterion], mark);
  return reading.ok ? (reading.verdicts[0]?.met ?? null) : null;
}

const SHOWN = 40;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function problem(source: SourceFile, offset: number, message: string): Issue {
  return { code: 'no_labels', severity: 'error', message, at: locationAt(source, offset), hint: FORM };
}

const FORM =
  'Give JSON Lines or CSV with columns human and judge, and best an id: {"id":"7","human":"pass","judge":"fail"}.';
