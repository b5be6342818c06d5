import { namedCounters } from '../engine/named-counters.ts';
import { COUNTER } from '../engine/session.ts';
import { trialRatioInterval } from '../stats/trial-ratio-interval.ts';
import type { Tally } from '../trial/tally.ts';
import type { CostReport } from '../types/report.ts';

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
  return {
    // A single trial is first, mean and total at once.
    first: tally.first === null ? null : ran === 1 ? total : namedCounters(tally.first),
    mean: ran === 0 ? null : ran === 1 ? total : namedCounters(tally.counters, ran),
    total,
    perSuccess: tally.passed === 0 ? null : total.llmTokens / tally.passed,
    perSuccessInterval: unbounded === null ? ratioInterval(tally) : null,
  };
}

function ratioInterval(tally: Tally): CostReport['perSuccessInterval'] {
  const squared = (BigInt(tally.tokensSquaredHigh) << 32n) + BigInt(tally.tokensSquaredLow);
  const sums = { total: tally.counters[COUNTER.llmTokens] as number, squared, trials: tally.executed };
  return trialRatioInterval(sums, tally.passed);
}
