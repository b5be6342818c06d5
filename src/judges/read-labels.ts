import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import { type RowCells, readRows, rowProblem } from './read-rows.ts';
import { readRubricVerdict } from './read-rubric-verdict.ts';

/** What a subject was asked and said. */
export interface LabelledItem {
  /** '': the row does not say. */
  readonly prompt: string;
  readonly response: string;
  /** What a judge that compares holds it against. */
  readonly over?: string;
  /** What must support it, where a judge verifies its claims. */
  readonly contexts?: readonly string[];
}

/** One item that people or a judge, or both, have judged. */
export interface LabelRow {
  /** Unique with `criterion`; null: the row has none. */
  readonly id: string | null;
  readonly criterion: string;
  /** Null: nobody labelled it. */
  readonly human: boolean | null;
  /** Null: the judge gave no verdict, or none that can be read. */
  readonly judge: boolean | null;
  /** How sure the judge is that the item passes, from 0 to 1; absent: it says yes or no. */
  readonly confidence?: number;
  /** What is to be judged, where the row holds it. */
  readonly item?: LabelledItem;
  /** Where it begins. A line is counted only when a problem is told: there may be a million rows. */
  readonly place: { readonly source: SourceFile; readonly offset: number };
}

export type LabelsResult =
  | { readonly ok: true; readonly rows: readonly LabelRow[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const COLUMNS = [
  'confidence',
  'id',
  'criterion',
  'human',
  'judge',
  'answer',
  'mark',
  'prompt',
  'response',
  'over',
  'context',
] as const;
type Cells = RowCells<(typeof COLUMNS)[number]>;

/** Problems of one file that are listed; the rest would be more of the same. */
const MOST_ISSUES = 20;

/**
 * Reads rows of JSON Lines or CSV with a column `human`, and `judge` or the recorded `answer` of a judge with its `mark`;
 * answers are read again as they were when the judge gave them. `id` tells items apart, `criterion` what was asked of
 * them. Throws nothing.
 */
export function readLabels(source: SourceFile): LabelsResult {
  const found = readRows(source, LABELS);
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
  return { ok: false, issues: [rowProblem(source, { message: 'The file has no row.', hint: FORM })] };
}

const HINT = 'Labels and verdicts are pass or fail, true or false, yes or no, 1 or 0; an empty one is none.';
/** What people and judges say of an item, in words. */
export const VERDICT_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['pass', 'passed', 'true', 'yes', 'met', '1'].map((word) => [word, true] as const),
  ...['fail', 'failed', 'false', 'no', 'unmet', '0'].map((word) => [word, false] as const),
]);

/** A row, or what is wrong with it. */
function readRow({
  id,
  criterion,
  human,
  judge,
  answer,
  mark,
  prompt,
  response,
  over,
  context,
  confidence,
}: Cells): Omit<LabelRow, 'place'> | string {
  const label = readWord(human);
  const verdict = answer === undefined ? readWord(judge) : readAnswer({ answer, mark, criterion });
  if (label === undefined) return `The label ${shown(human)} is neither a pass nor a fail.`;
  if (verdict === undefined) return `The verdict ${shown(judge)} is neither a pass nor a fail.`;
  if (answer !== undefined && judge !== undefined) return 'The row has both a verdict and an answer.';
  if (answer !== undefined && typeof mark !== 'string') return 'An answer needs the mark of its question.';
  if (answer !== undefined && typeof criterion !== 'string') return 'An answer needs its criterion.';
  const odd = Object.entries({ prompt, response, over }).find(
    ([, text]) => text !== undefined && typeof text !== 'string',
  );
  if (odd !== undefined) return `The column "${odd[0]}" holds no text.`;
  const contexts = textsOf(context);
  if (contexts === null) return 'The column "context" holds neither a text nor a list of texts.';
  const sure = readShare(confidence);
  if (sure === null) return `The confidence ${shown(confidence)} is no number from 0 to 1.`;
  return {
    ...(sure !== undefined && { confidence: sure }),
    ...(typeof response === 'string' && {
      item: {
        prompt: typeof prompt === 'string' ? prompt : '',
        response,
        ...(typeof over === 'string' && { over }),
        ...(contexts.length > 0 && { contexts }),
      },
    }),
    id: id === undefined || id === null ? null : String(id),
    criterion: typeof criterion === 'string' ? criterion : '',
    human: label,
    judge: verdict,
  };
}

/** Undefined: there is none. Null: it is no share. */
function readShare(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === '') return undefined;
  const share = typeof value === 'string' ? Number(value) : value;
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : null;
}

/** A text by itself is a list of one, and nothing is one of none; null: it is neither. */
function textsOf(value: unknown): readonly string[] | null {
  const list: readonly unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return list.every((text) => typeof text === 'string') ? list : null;
}

/** Null: there is none. Undefined: it is no word for one. */
function readWord(value: unknown): boolean | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'string')
    return VERDICT_WORDS.get(String(value).trim().toLowerCase());
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

const FORM =
  'Give JSON Lines or CSV with columns human and judge, and best an id: {"id":"7","human":"pass","judge":"fail"}.';

const LABELS = { columns: COLUMNS, needs: [['human'], ['judge', 'answer', 'response']], hint: FORM } as const;
