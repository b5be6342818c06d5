import { assertCounts, assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';
import { studentQuantile } from './student-t.ts';
import { withUnseenTasks } from './wilson.ts';

/** The trials of one scenario, or of each of several that are alike. */
export interface Cluster {
  /** Trials of the cluster. */
  readonly trials: number;
  /** How many of these passed. */
  readonly passed: number;
  /** How many scenarios are so; 1 when absent. */
  readonly scenarios?: number;
}

/** The pass rate of all trials, with an error that knows that trials of one scenario are alike. */
export interface ClusteredInterval {
  /** Share of all trials that passed. */
  readonly rate: number;
  /** Standard error, by leaving out one cluster at a time. */
  readonly error: number;
  /** The error if all trials were independent. */
  readonly naiveError: number;
  /** (error / naiveError)²: how many trials count as one; null when all trials agree. */
  readonly designEffect: number | null;
  /** Clusters less one; of clusters of unequal size the interval has as many as so many equal ones that weigh as much. */
  readonly df: number;
  /** Lower and upper bound. */
  readonly interval: readonly [number, number];
  /** `wilson`: as wide as scenarios allow that were not seen, which is wider than Student's. */
  readonly method: 'student' | 'wilson';
}

/**
 * Pass rate over all trials with cluster-robust error and t-interval within [0, 1], for scenarios like these:
 * SE = √((C−1)/C·Σ((passed_i − rate·trials_i) / (1 − trials_i/N))²) / N, which is √(C/(C−1)·Σ(passed_i − rate·trials_i)²) / N of
 * clusters of one size; t has N²/Σtrials_i² − 1 degrees of freedom, at least 1, so that a few large clusters among many small
 * ones count as few. It is at least as wide as the share of scenarios of which none need have been seen, z²/(C + z²), so that
 * few that are nearly alike are not sure. Null for fewer than two scenarios with trials.
 * Sources: Miller 2024, "Adding error bars to evals" (arXiv 2411.00640), with the factor C/(C−1); release-gate F-03 (b); Bell
 * and McCaffrey 2002, Surv. Methodol. 28, 169–181, for the jackknife; Kish 1965, Survey Sampling, for clusters that count.
 */
export function clusteredInterval(clusters: readonly Cluster[], confidence = 0.95): ClusteredInterval | null {
  const used = clusters.flatMap(({ trials, passed, scenarios = 1 }) => {
    assertCounts(trials, passed);
    assertWhole('scenarios', scenarios, 0, 1e12);
    return trials === 0 || scenarios === 0 ? [] : [{ trials, passed, scenarios }];
  });
  const count = sumOf(used.map(({ scenarios }) => scenarios));
  if (count < 2) return null;
  const trials = sumOf(used.map((cluster) => cluster.trials * cluster.scenarios));
  const rate = sumOf(used.map(({ passed, scenarios }) => passed * scenarios)) / trials;
  const df = count - 1;
  const naiveError = Math.sqrt((rate * (1 - rate)) / (trials - 1));
  const [first] = used as [Required<Cluster>, ...Required<Cluster>[]];
  const alike = used.every((cluster) => cluster.passed * first.trials === first.passed * cluster.trials);
  const squares = alike
    ? 0
    : sumOf(used.map((one) => one.scenarios * ((one.passed - rate * one.trials) / (1 - one.trials / trials)) ** 2));
  const error = Math.sqrt((df / count) * squares) / trials;
  const designEffect = naiveError === 0 ? null : (error / naiveError) ** 2;
  const shared = { rate, error, naiveError, designEffect, df };
  const alikeInSize = trials ** 2 / sumOf(used.map((one) => one.scenarios * one.trials ** 2));
  // Of one size they are as many as there are, but for rounding.
  const half = studentQuantile(confidence, Math.min(df, Math.max(1, alikeInSize - 1))) * error;
  const interval = withUnseenTasks([rate - half, rate + half], { rate, tasks: count, confidence });
  const isStudent = interval[0] === Math.max(0, rate - half) && interval[1] === Math.min(1, rate + half);
  return { ...shared, interval, method: isStudent ? 'student' : 'wilson' };
}

/**
 * Error of the mean pass rate of exactly these scenarios, were their trials drawn again: √Σ p̂(1−p̂)/(n−1) / T.
 * Null when a scenario has fewer than two trials. Source: release-gate F-03 (a).
 */
export function fixedScenariosError(clusters: readonly Cluster[]): number | null {
  for (const { trials, passed } of clusters) assertCounts(trials, passed);
  const count = sumOf(clusters.map(({ scenarios = 1 }) => scenarios));
  if (count === 0 || clusters.some(({ trials, scenarios = 1 }) => trials < 2 && scenarios > 0)) return null;
  const variances = clusters.map(({ trials, passed, scenarios = 1 }) =>
    scenarios === 0 ? 0 : (scenarios * (passed / trials) * ((trials - passed) / trials)) / (trials - 1),
  );
  return Math.sqrt(sumOf(variances)) / count;
}
