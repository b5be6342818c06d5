import { assertCounts, assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';

/** Scenarios with the same counts. */
export interface AlikeScenarios {
  /** Trials of each scenario. */
  readonly trials: number;
  /** How many of these passed. */
  readonly passed: number;
  /** How many there are; 1 when absent. */
  readonly scenarios?: number;
}

/** Where the spread of the pass rates of scenarios comes from. */
export interface RateVariance {
  /** Variance of the true rates over scenarios; 0 where luck explains all of it. */
  readonly scenarios: number;
  /** Variance of one trial that nothing but chance explains, mean over scenarios. */
  readonly luck: number;
  /** Share of the variance of the seen rates that luck explains; null: all rates are the same. */
  readonly luckShare: number | null;
}

/**
 * Splits the variance of pass rates over scenarios: Var(p̂_i) = ω² + mean(σ_i²/n_i), where σ_i² is `trialVariance` and ω² is
 * what is left, at least 0. Null for fewer than two scenarios, or where one has a single trial, which shows no luck.
 * Source: Miller 2024 (arXiv 2411.00640), sections 3 and 5; release-gate F-05.
 */
export function rateVariance(alike: readonly AlikeScenarios[]): RateVariance | null {
  const used = knownScenarios(alike);
  const [first] = used;
  const count = sumOf(used.map(({ scenarios }) => scenarios));
  if (first === undefined || count < 2 || used.some(({ trials }) => trials < 2)) return null;
  const mean = (of: (one: Known) => number): number => sumOf(used.map((one) => of(one) * one.scenarios)) / count;
  const luck = mean(trialVariance);
  // The mean of equal rates may differ from them by rounding, which is no spread.
  if (used.every(({ trials, passed }) => passed * first.trials === first.passed * trials)) {
    return { scenarios: 0, luck, luckShare: null };
  }
  const average = mean(({ trials, passed }) => passed / trials);
  const total = (mean(({ trials, passed }) => (passed / trials - average) ** 2) * count) / (count - 1);
  const byLuck = mean((one) => trialVariance(one) / one.trials);
  return { scenarios: Math.max(0, total - byLuck), luck, luckShare: Math.min(1, byLuck / total) };
}

/** Variance of one trial of a scenario with at least two, without bias: p̂(1 − p̂)·n/(n − 1). */
export function trialVariance({ trials, passed }: Pick<AlikeScenarios, 'trials' | 'passed'>): number {
  const rate = passed / trials;
  return (rate * (1 - rate) * trials) / (trials - 1);
}

type Known = Required<AlikeScenarios>;

function knownScenarios(alike: readonly AlikeScenarios[]): readonly Known[] {
  return alike.flatMap(({ trials, passed, scenarios = 1 }) => {
    assertCounts(trials, passed);
    assertWhole('scenarios', scenarios, 0, 1e12);
    return scenarios === 0 ? [] : [{ trials, passed, scenarios }];
  });
}
