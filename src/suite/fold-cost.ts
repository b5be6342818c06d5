import type { Tally } from '../trial/tally.ts';
import type { CostReport } from '../types/report.ts';
import { COUNTERS, type CounterName } from '../types/scenario.ts';

/** Counters of the first trial, per trial and in all; writes why a number is null into `reasons`. */
export function foldCost(tally: Tally, reasons: Record<string, string>): CostReport {
  const total = namedCounters(tally.counters);
  const ran = tally.executed;
  if (tally.first === null) reasons['cost.first'] = ran === 0 ? 'not_run' : 'first_trial_not_run';
  if (ran === 0) reasons['cost.mean'] = 'not_run';
  if (tally.passed === 0) reasons['cost.perSuccess'] = ran === 0 ? 'not_run' : 'none_passed';
  return {
    first: tally.first === null ? null : namedCounters(tally.first),
    mean: ran === 0 ? null : namedCounters(tally.counters.map((sum) => sum / ran)),
    total,
    perSuccess: tally.passed === 0 ? null : total.llmTokens / tally.passed,
  };
}

/** Counter values by name; absent values are 0. */
export function namedCounters(values: ArrayLike<number>): Readonly<Record<CounterName, number>> {
  const named: Partial<Record<CounterName, number>> = {};
  for (const [i, name] of COUNTERS.entries()) named[name] = values[i] ?? 0;
  return named as Record<CounterName, number>;
}
