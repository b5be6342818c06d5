import { trialRatioInterval } from '../stats/trial-ratio-interval.ts';
import type { Tally } from '../trial/tally.ts';
import type { CostReport } from '../types/report.ts';
import { COUNTERS, type CounterName } from '../types/scenario.ts';

/**
 * Counters of the first trial, per trial and in all; writes why a number is null into `reasons`. `fixed`: how many trials
 * ran did not depend on what they gave.
 */
export function foldCost(tally: Tally, fixed: boolean, reasons: Record<string, string>): CostReport {
  const total = namedCounters(tally.counters);
  const ran = tally.executed;
  if (tally.first === null) reasons['cost.first'] = ran === 0 ? 'not_run' : 'first_trial_not_run';
  if (ran === 0) reasons['cost.mean'] = 'not_run';
  const unpriced = ran === 0 ? 'not_run' : tally.passed === 0 ? 'none_passed' : null;
  if (unpriced !== null) reasons['cost.perSuccess'] = unpriced;
  const unbounded = unpriced ?? (!fixed ? 'stop_early' : ran === 1 ? 'one_trial' : null);
  if (unbounded !== null) reasons['cost.perSuccessInterval'] = unbounded;
  const squared = (BigInt(tally.tokensSquaredHigh) << 32n) + BigInt(tally.tokensSquaredLow);
  const sums = { total: total.llmTokens, squared, trials: ran };
  return {
    first: tally.first === null ? null : namedCounters(tally.first),
    mean: ran === 0 ? null : namedCounters(tally.counters, ran),
    total,
    perSuccess: tally.passed === 0 ? null : total.llmTokens / tally.passed,
    perSuccessInterval: unbounded === null ? trialRatioInterval(sums, tally.passed) : null,
  };
}

/** Counter values by name, divided by `trials`; absent values are 0. */
export function namedCounters(values: ArrayLike<number>, trials = 1): Readonly<Record<CounterName, number>> {
  // A copy has its whole shape at once; one that is built name by name grows with every other.
  const named: Record<CounterName, number> = { ...NOTHING };
  for (let i = 0; i < COUNTERS.length; i++) named[COUNTERS[i] as CounterName] = (values[i] ?? 0) / trials;
  return named;
}

const NOTHING = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Readonly<Record<CounterName, number>>;
