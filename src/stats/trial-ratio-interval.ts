import { clopperPearsonInterval } from './clopper-pearson.ts';
import { assertCounts, assertNumbers } from './counts.ts';
import { sumOf } from './mean.ts';
import { studentQuantile } from './student-t.ts';

/** What one scenario spent. */
export interface SpentTrials {
  /** Of all its trials. */
  readonly cost: number;
  /** Of the cost of one trial, without bias; null for a single trial, which tells none. */
  readonly variance: number | null;
  /** Trials of the scenario. */
  readonly trials: number;
  /** How many of these passed. */
  readonly passed: number;
  /** True: its answers were enumerated, so that cost and passes are what they are, the latter no whole number perhaps. */
  readonly isExact?: boolean;
}

/**
 * Interval of Σcost / Σpassed over *these* scenarios: what more trials of them would show. The ends of the t-interval of
 * the cost over the opposite ends of Clopper and Pearson's interval of the pass rate, which holds for trials of unequal
 * rates, too (Hoeffding 1956). Nothing is supposed about whether passing trials are the dear ones: MOVER for a ratio with
 * the least favourable correlation, −1, so it covers as stated there and more elsewhere.
 *
 * An upper end of null is without limit: no trial failed, so nothing tells what a failing one costs. Of several scenarios
 * one that never failed is taken to cost as its trials did. Null when none passed, or where the spread is not known.
 * Sources: Zou and Donner 2008, Stat. Med. 27, 1693–1702; Donner and Zou 2012, Stat. Methods Med. Res. 21, 347–359;
 * degrees of freedom by Satterthwaite 1946, Biometrics Bull. 2, 110–114.
 */
export function trialRatioInterval(
  scenarios: readonly SpentTrials[],
  confidence = 0.95,
): readonly [number, number | null] | null {
  for (const scenario of scenarios) assertSpent(scenario);
  const sampled = scenarios.filter(({ trials, isExact }) => trials > 0 && isExact !== true);
  const exactPassed = sumOf(scenarios.map(({ passed, isExact }) => (isExact === true ? passed : 0)));
  const trials = sumOf(sampled.map((scenario) => scenario.trials));
  const passed = sumOf(sampled.map((scenario) => scenario.passed));
  const cost = sumOf(scenarios.map((scenario) => scenario.cost));
  const variances = sampled.flatMap(({ variance, trials: count }) => (variance === null ? [] : variance * count));
  if (passed + exactPassed === 0 || variances.length < sampled.length) return null;
  if (trials === 0) return [cost / exactPassed, cost / exactPassed];
  const [worst, best] = clopperPearsonInterval(trials, passed, confidence) ?? [0, 1];
  const variance = sumOf(variances);
  const shares = sampled.map((scenario, i) => (variances[i] ?? 0) ** 2 / (scenario.trials - 1));
  const half =
    variance === 0 ? 0 : studentQuantile(confidence, Math.max(1, variance ** 2 / sumOf(shares))) * Math.sqrt(variance);
  const low = Math.max(0, cost - half) / (trials * best + exactPassed);
  return [low, passed === trials ? null : (cost + half) / (trials * worst + exactPassed)];
}

function assertSpent({ cost, variance, trials, passed, isExact }: SpentTrials): void {
  assertNumbers('cost', [cost], 0);
  assertNumbers('variance', variance === null ? [] : [variance], 0);
  if (isExact === true) assertNumbers('number of passes', [trials, passed], 0);
  else assertCounts(trials, passed);
  if (trials === 1 && variance !== null && isExact !== true) {
    throw new RangeError('A variance of a single trial is impossible: give null.');
  }
}
