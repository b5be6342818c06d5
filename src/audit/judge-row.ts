import { lineAt } from '../source/location-at.ts';
import { histogramPassHatK } from '../stats/histogram-pass-hat-k.ts';
import {
  binomialCoefficients,
  type FoundHistograms,
  type HistogramLimits,
  type SuccessHistogram,
  type SumBounds,
  successHistograms,
} from '../stats/success-histogram.ts';
import type {
  AuditedRow,
  PrintedPassHatK,
  RowConflict,
  RowOutcome,
  RowVerdict,
  SuspectValue,
} from '../types/audit/table-audit.ts';
import { printedInterval, quotientValue, sumsWithin } from './printed-rate.ts';
import { type ResolvedRow, wholeOf } from './resolve-rows.ts';

/** Counts that the searches of all rows may still try. */
export interface SearchBudget {
  steps: number;
}

/** Of one row: a second or so. */
const ROW_STEPS = 1_000_000;
const SUSPECT_STEPS = 200_000;
/** What a row gets when nothing is left: rows that are easy stay decided. */
const LEAST_STEPS = 1000;
const MOST_FITTING = 10;

/** What the values of one row can be. */
export function judgeRow(
  { table, row, tasks, trials, decimals, isPercent }: ResolvedRow,
  budget: SearchBudget,
): AuditedRow {
  const ks = Array.from({ length: trials.count }, (_, i) => i + 1);
  const choose = binomialCoefficients(trials.count)[trials.count] ?? [];
  const values: PrintedPassHatK[] = [];
  const sums = ks.map((k): SumBounds | null => {
    const value = row.values.get(k);
    if (value === undefined) return null;
    const whole = wholeOf(value, isPercent);
    const interval = printedInterval(value.rate, { whole, decimals, tasks: tasks?.count ?? 0 });
    values.push({ k, printed: value.text, low: quotientValue(interval[0]), high: quotientValue(interval[1]) });
    return sumsWithin(interval, BigInt(tasks?.count ?? 0) * BigInt(choose[k] ?? 0));
  });
  const missing = [
    ...(tasks === null ? ['tasks'] : []),
    ...ks.filter((k) => !row.values.has(k)).map((k) => `pass^${k}`),
  ];
  const shared = {
    file: table.source.name,
    line: lineAt(table.source, row.range[0]),
    name: row.name,
    domain: row.domain,
    tasks,
    trials,
    scale: isPercent || [...row.values.values()].some(({ rate }) => rate.hasPercentSign) ? 'percent' : 'fraction',
    values,
    missing,
  } as const;
  if (tasks === null || values.length === 0) {
    return { ...shared, verdict: 'incomplete', histograms: null, conflict: null, outcome: null };
  }
  const question = { tasks: tasks.count, trials: trials.count };
  const search = (bounds: readonly (SumBounds | null)[], limits: HistogramLimits): FoundHistograms => {
    const steps = Math.max(LEAST_STEPS, Math.min(limits.steps ?? ROW_STEPS, budget.steps));
    const found = successHistograms({ ...question, sums: bounds }, { ...limits, steps });
    budget.steps -= found.steps;
    return found;
  };
  const found = search(sums, { steps: ROW_STEPS });
  const verdict = verdictOf(found, missing);
  const { count, listed, ranges } = found;
  const [only] = listed;
  return {
    ...shared,
    verdict,
    histograms: { count, isAll: found.ended === 'all', listed, ranges },
    conflict: verdict === 'impossible' ? conflictOf(sums, { ...question, choose, search }) : null,
    outcome: verdict === 'unique' && only !== undefined ? outcomeOf(only) : null,
  };
}

function verdictOf({ count, ended }: FoundHistograms, missing: readonly string[]): RowVerdict {
  if (count === 0 && ended === 'all') return 'impossible';
  if (missing.length > 0) return 'incomplete';
  if (count > 1) return 'ambiguous';
  return ended === 'all' ? 'unique' : 'undecided';
}

interface ConflictSearch {
  readonly tasks: number;
  readonly choose: readonly number[];
  readonly search: (sums: readonly (SumBounds | null)[], limits: HistogramLimits) => FoundHistograms;
}

function conflictOf(sums: readonly (SumBounds | null)[], { tasks, choose, search }: ConflictSearch): RowConflict {
  const unreachable = sums.flatMap((bounds, i) => (bounds !== null && bounds[0] > bounds[1] ? [i + 1] : []));
  const suspects = sums.flatMap((bounds, i): readonly SuspectValue[] => {
    if (bounds === null) return [];
    const k = i + 1;
    const without = sums.map((other, place) => (place === i ? null : other));
    const { count, ended, listed } = search(without, { steps: SUSPECT_STEPS, listed: 1000 });
    if (count === 0) return [];
    const found = ended === 'all' && listed.length === count ? valuesOf(listed, k, tasks * (choose[k] ?? 1)) : null;
    return [{ k, fitting: found !== null && found.length <= MOST_FITTING ? found : null }];
  });
  return { unreachable, suspects };
}

/** pass^k of the histograms, each value once, ascending. */
function valuesOf(histograms: readonly SuccessHistogram[], k: number, draws: number): readonly number[] {
  const choose = binomialCoefficients((histograms[0]?.length ?? 1) - 1);
  const sums = histograms.map((histogram) =>
    histogram.reduce((sum, tasks, passed) => sum + tasks * (choose[passed]?.[k] ?? 0), 0),
  );
  return [...new Set(sums)].sort((a, b) => a - b).map((sum) => sum / draws);
}

function outcomeOf(histogram: SuccessHistogram): RowOutcome {
  const trials = histogram.length - 1;
  return {
    neverSolved: histogram[0] ?? 0,
    alwaysSolved: histogram[trials] ?? 0,
    passed: histogram.reduce((sum, tasks, passed) => sum + tasks * passed, 0),
    passHatK: histogram.slice(1).flatMap((_, i) => histogramPassHatK(histogram, i + 1) ?? []),
  };
}
