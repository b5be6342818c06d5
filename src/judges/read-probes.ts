import { locationAt } from '../source/location-at.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { PairOutcome } from '../stats/judged/position-bias.ts';
import type { Issue } from '../types/issue.ts';
import { type ProbeName, PROBES } from '../types/judges/judge-probe.ts';
import { VERDICT_WORDS } from './read-labels.ts';
import { type RowCells, readRows, rowProblem } from './read-rows.ts';

/** A verdict on one answer, or what became of the candidate of two. */
export type ProbeVerdict = boolean | PairOutcome;

/** One question of a probe, with all its verdicts. */
export type ProbeRow =
  | { readonly probe: Exclude<ProbeName, 'family'>; readonly verdicts: readonly ProbeVerdict[] }
  /** Scores of one task: own agent by the judge and by another, other agent by the judge and by another. */
  | { readonly probe: 'family'; readonly scores: readonly [number, number, number, number] };

export type ProbesResult =
  | { readonly ok: true; readonly rows: readonly ProbeRow[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const COLUMNS = ['probe', 'verdicts'] as const;
const HINT = 'Rows are as in {"probe":"length","verdicts":["pass","fail"]}, or in CSV: length,pass fail.';
const FORM = { columns: COLUMNS, needs: [['probe'], ['verdicts']], hint: HINT } as const;
const MOST_ISSUES = 20;
const MOST_VERDICTS = 1000;
const OUTCOMES: readonly PairOutcome[] = ['win', 'loss', 'tie'];

/** Reads rows of JSON Lines or CSV with the columns `probe` and `verdicts`. Throws nothing. */
export function readProbes(source: SourceFile): ProbesResult {
  const found = readRows(source, FORM);
  if (!found.ok) return found;
  const issues: Issue[] = [];
  const rows: ProbeRow[] = [];
  for (const { cells, offset } of found.rows) {
    const row = readRow(cells);
    if (typeof row === 'string') {
      issues.push({ code: 'bad_probe', severity: 'error', message: row, at: locationAt(source, offset), hint: HINT });
    } else rows.push(row);
    if (issues.length === MOST_ISSUES) break;
  }
  if (issues.length > 0) return { ok: false, issues };
  if (rows.length > 0) return { ok: true, rows };
  return { ok: false, issues: [rowProblem(source, { message: 'The file has no row.', hint: HINT })] };
}

/** A row, or what is wrong with it. */
function readRow({ probe: name, verdicts: cell }: RowCells<(typeof COLUMNS)[number]>): ProbeRow | string {
  const probe = PROBES.find((one) => one === name);
  if (probe === undefined) return `A probe is one of ${PROBES.join(', ')}.`;
  const words: readonly unknown[] = typeof cell === 'string' ? cell.trim().split(/[ ,;|]+/) : listOf(cell);
  if (probe === 'family') {
    const [a, b, c, d] = words.map(Number);
    if (words.length === 4 && [a, b, c, d].every(Number.isFinite)) {
      return { probe, scores: [a ?? 0, b ?? 0, c ?? 0, d ?? 0] };
    }
    return 'A row of "family" has four scores: own agent by the judge and by another, other agent by both.';
  }
  const verdicts = words.map(verdictOf);
  const readable = verdicts.filter((verdict) => verdict !== null);
  if (readable.length < verdicts.length) return 'A verdict is pass, fail, win, loss or tie.';
  if (new Set(readable.map((verdict) => typeof verdict)).size > 1)
    return 'The row has verdicts on one answer and on two.';
  if (probe === 'noise') {
    return readable.length >= 2 && readable.length <= MOST_VERDICTS
      ? { probe, verdicts: readable }
      : `A row of "noise" has 2 to ${MOST_VERDICTS} verdicts.`;
  }
  if (readable.length !== 2) return `A row of "${probe}" has two verdicts.`;
  if (probe === 'attacks' && typeof readable[0] !== 'boolean') return 'A row of "attacks" has two of pass and fail.';
  if (probe === 'position' && typeof readable[0] === 'boolean') return 'A row of "position" has win, loss or tie.';
  return { probe, verdicts: readable };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function verdictOf(word: unknown): ProbeVerdict | null {
  const text = String(word).toLowerCase();
  return OUTCOMES.find((one) => one === text) ?? VERDICT_WORDS.get(text) ?? null;
}
