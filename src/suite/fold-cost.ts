import { namedCounters } from '../engine/named-counters.ts';
import { COUNTER } from '../engine/session.ts';
import { trialRatioInterval } from '../stats/trial-ratio-interval.ts';
import type { Tally } from '../trial/tally.ts';
import type { CostReport } from '../types/report.ts';
import { SharedPart } from './shared-part.ts';

/** What costs are folded from. */
type Spent = Pick<Tally, 'counters' | 'first' | 'executed' | 'passed' | 'tokensSquaredLow' | 'tokensSquaredHigh'>;

/** Costs, and why a number among them is null. */
export interface FoldedCost {
  readonly cost: CostReport;
  readonly reasons: Readonly<Record<string, string>>;
}

/** Counters of the first trial, per trial and in all. `fixed`: how many trials ran did not depend on what they gave. */
export function foldCost(tally: Spent, fixed: boolean): FoldedCost {
  if (tally.executed !== 1) return fold(tally, fixed);
  const { counters, first, passed } = tally;
  return ofOne.inCommon(ONE_TRIAL, counters, (fixed ? FIXED : 0) + (first === null ? 0 : FIRST) + passed);
}

const FIXED = 4;
const FIRST = 2;
const ONE_TRIAL = { executed: 1, tokensSquaredLow: 0, tokensSquaredHigh: 0 };

/** Of a single trial, which has no interval that its squares would tell. */
const ofOne = new SharedPart((one: typeof ONE_TRIAL, counts, more) => {
  const counters = [...counts];
  const first = (more & FIRST) === 0 ? null : counters;
  return fold({ ...one, counters, first, passed: more & 1 }, (more & FIXED) !== 0);
});

function fold(tally: Spent, fixed: boolean): FoldedCost {
  const total = namedCounters(tally.counters);
  const reasons: Record<string, string> = {};
  const ran = tally.executed;
  if (tally.first === null) reasons['cost.first'] = ran === 0 ? 'not_run' : 'first_trial_not_run';
  if (ran === 0) reasons['cost.mean'] = 'not_run';
  const unpriced = ran === 0 ? 'not_run' : tally.passed === 0 ? 'none_passed' : null;
  if (unpriced !== null) reasons['cost.perSuccess'] = unpriced;
  const unbounded = unpriced ?? (!fixed ? 'stop_early' : ran === 1 ? 'one_trial' : null);
  if (unbounded !== null) reasons['cost.perSuccessInterval'] = unbounded;
  const cost = {
    // A single trial is first, mean and total at once.
    first: tally.first === null ? null : ran === 1 ? total : namedCounters(tally.first),
    mean: ran === 0 ? null : ran === 1 ? total : namedCounters(tally.counters, ran),
    total,
    perSuccess: tally.passed === 0 ? null : total.llmTokens / tally.passed,
    perSuccessInterval: unbounded === null ? ratioInterval(tally) : null,
  };
  return { cost, reasons };
}

function ratioInterval(tally: Spent): CostReport['perSuccessInterval'] {
  const squared = (BigInt(tally.tokensSquaredHigh) << 32n) + BigInt(tally.tokensSquaredLow);
  const sums = { total: tally.counters[COUNTER.llmTokens] as number, squared, trials: tally.executed };
  return trialRatioInterval(sums, tally.passed);
}
