import { toldCounters } from '../../engine/named-counters.ts';
import { COUNTER } from '../../engine/trial-state.ts';
import { squaredErrorOfMean } from '../../stats/error-of-sums.ts';
import { trialRatioInterval } from '../../stats/trial-ratio-interval.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import { COUNTERS } from '../../types/trial.ts';
import type { CostReport } from '../../types/scenarios/cost-report.ts';

/** What costs are folded from. */
type Spent = Pick<
  Tally,
  'counters' | 'untold' | 'sessions' | 'first' | 'executed' | 'passed' | 'tokensSquaredLow' | 'tokensSquaredHigh'
>;

/** Costs, and why a number among them is null. */
export interface FoldedCost {
  readonly cost: CostReport;
  readonly reasons: Readonly<Record<string, string>>;
}

export interface FoldCostOptions {
  /** How many trials ran did not depend on what they gave. */
  readonly isFixed: boolean;
  /** Nothing is drawn in it, so that trials which have not been seen cost what these did. */
  readonly isConstant: boolean;
}

/** By position in `COUNTERS`; null: a trial did not tell it, or no session did. */
export function toldSums({
  counters,
  untold,
  sessions,
}: Pick<Spent, 'counters' | 'untold' | 'sessions'>): readonly (number | null)[] {
  return COUNTERS.map((name, at) => {
    const isUntold = (untold[at] ?? 0) > 0 || sessions?.isUntold(name) === true;
    return isUntold ? null : (counters[at] ?? 0);
  });
}

/** Counters of the first trial, per trial and in all; at least one trial ran. */
export function foldCost(tally: Spent, { isFixed, isConstant }: FoldCostOptions): FoldedCost {
  const sums = toldSums(tally);
  const total = toldCounters(sums);
  const reasons: Record<string, string> = {};
  const ran = tally.executed;
  if (tally.first === null) reasons['cost.first'] = 'first_trial_not_run';
  const unpriced = total.llmTokens === null ? 'not_told' : tally.passed === 0 ? 'none_passed' : null;
  if (unpriced !== null) reasons['cost.perSuccess'] = unpriced;
  const unbounded = unpriced ?? (!isFixed ? 'stop_early' : ran === 1 ? 'one_trial' : null);
  const variance = varianceOf(tally);
  const interval = unbounded === null ? intervalOf(tally, variance, isConstant) : null;
  if (variance === null) reasons['cost.deviation'] = 'one_trial';
  if (unbounded !== null) reasons['cost.perSuccessInterval'] = unbounded;
  else if (interval?.[1] === null) reasons['cost.perSuccessInterval'] = 'none_failed';
  const cost = {
    first: tally.first === null ? null : toldCounters(tally.first.map((one, at) => (sums[at] === null ? null : one))),
    mean: toldCounters(sums, ran),
    total,
    deviation: variance === null || total.llmTokens === null ? null : Math.sqrt(variance),
    perSuccess: tally.passed === 0 || total.llmTokens === null ? null : total.llmTokens / tally.passed,
    perSuccessInterval: interval,
  };
  return { cost, reasons };
}

function intervalOf(
  { counters, passed, executed }: Spent,
  variance: number | null,
  isConstant: boolean,
): CostReport['perSuccessInterval'] {
  const cost = counters[COUNTER.llmTokens] as number;
  if (passed === executed && isConstant) return [cost / passed, cost / passed];
  return trialRatioInterval([{ cost, variance, trials: executed, passed }]);
}

/** Of the tokens of one trial; null where a single one ran. */
function varianceOf({ counters, executed, tokensSquaredLow, tokensSquaredHigh }: Spent): number | null {
  const squared = (BigInt(tokensSquaredHigh) << 32n) + BigInt(tokensSquaredLow);
  const error = squaredErrorOfMean({ total: counters[COUNTER.llmTokens] as number, squared, trials: executed });
  return error === null ? null : error * executed;
}
