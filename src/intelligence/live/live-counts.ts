import { PasskError } from '../../errors.ts';
import type { LiveCounts, LiveRow } from '../../types/live-counts.ts';
import type { Spending } from './live-budget.ts';
import type { LiveModelReport, LiveReport } from '../../types/reports/live-report.ts';

const NANO = 1e9;
const SUMS = [
  'calls',
  'reused',
  'retries',
  'failures',
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'reasoningTokens',
  'unknownUsage',
  'nanoUsd',
  'filtered',
  'cut',
] as const;

/**
 * The counts of parts of a run together, in any order. Throws `INTEGRITY` for sums that are no longer exact, which no
 * run comes to.
 */
export function sumLive(parts: readonly LiveCounts[]): LiveCounts {
  const rows = new Map<string, LiveRow>();
  for (const row of parts.flatMap((part) => part.rows)) {
    const total = rows.get(liveKey(row));
    rows.set(liveKey(row), total === undefined ? row : addRow(total, row));
  }
  const isSpent = parts.some(({ stoppedBy }) => stoppedBy === 'budget');
  return { stoppedBy: isSpent ? 'budget' : null, rows: sortedRows(rows) };
}

/** What the rows of `now` have more than those of `before`, which were counted earlier in the same run. */
export function liveSince(now: readonly LiveRow[], before: readonly LiveRow[]): readonly LiveRow[] {
  const rowsBefore = new Map(before.map((row) => [liveKey(row), row]));
  return now.flatMap((row) => {
    const earlier = rowsBefore.get(liveKey(row));
    if (earlier === undefined) return [row];
    return SUMS.some((name) => (row[name] ?? 0) !== (earlier[name] ?? 0))
      ? [{ ...row, ...sums(row, earlier, -1) }]
      : [];
  });
}

/** What a budget is told of calls that were counted; what nobody counted is missing from it. */
export function spentOn(rows: readonly LiveRow[]): Spending {
  let tokens = 0;
  let nanoUsd = 0;
  for (const row of rows) {
    tokens += row.promptTokens + row.completionTokens;
    nanoUsd += row.nanoUsd;
  }
  return { tokens, nanoUsd };
}

/** The counts as the report tells them. */
export function liveReport({ stoppedBy, rows }: LiveCounts): LiveReport {
  const priced = rows.filter(({ isPriced, nanoUsd }) => isPriced || nanoUsd > 0);
  return {
    stoppedBy,
    models: rows.map(modelReport),
    costUsd: priced.length === 0 ? null : priced.reduce((sum, row) => sum + row.nanoUsd, 0) / NANO,
    unknownUsage: rows.reduce((sum, row) => sum + row.unknownUsage, 0),
  };
}

/** Of the same calls or not. */
export function liveKey({ scenario, backend }: Pick<LiveRow, 'scenario' | 'backend'>): string {
  return JSON.stringify([scenario, backend]);
}

/** So that the order does not depend on who called first. */
export function sortedRows<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function modelReport(row: LiveRow): LiveModelReport {
  const { scenario, backend, provider, model, calls, reused, retries, failures } = row;
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, unknownUsage, filtered = 0, cut = 0 } = row;
  const costUsd = row.isPriced ? row.nanoUsd / NANO : null;
  const tokens = { promptTokens, completionTokens, cachedTokens, reasoningTokens };
  const ends = { ...(filtered > 0 && { filtered }), ...(cut > 0 && { cut }) };
  return {
    scenario,
    backend,
    provider,
    model,
    calls,
    reused,
    retries,
    failures,
    ...tokens,
    unknownUsage,
    costUsd,
    ...ends,
  };
}

function addRow(one: LiveRow, other: LiveRow): LiveRow {
  return { ...one, ...sums(one, other, 1), isPriced: one.isPriced && other.isPriced };
}

function sums(one: LiveRow, other: LiveRow, sign: 1 | -1): Pick<LiveRow, (typeof SUMS)[number]> {
  const row = { ...one };
  for (const name of SUMS) {
    const sum = (one[name] ?? 0) + sign * (other[name] ?? 0);
    row[name] = sum;
    if (Number.isSafeInteger(sum)) continue;
    throw new PasskError('INTEGRITY', `The ${name} of live calls are more than can be counted.`);
  }
  return row;
}
