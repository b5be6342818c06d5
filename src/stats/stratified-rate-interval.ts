import { clopperPearsonOfRate } from './clopper-pearson.ts';
import { assertRate, assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';

/** What the trials of one scenario gave. */
export interface ScenarioRate {
  /** Pass rate, pass^k or pass@k, without bias; in [0, 1]. */
  readonly value: number;
  /**
   * Groups of k trials that its trials make, each of which passes or not: ⌊trials / k⌋, and all trials for a pass rate.
   * Infinite: the value is exact.
   */
  readonly groups: number;
  /** Scenarios that gave just this; 1 when absent. */
  readonly scenarios?: number;
}

/**
 * Interval of the mean of one rate over *these* scenarios: what more trials of the same scenarios would show. Null
 * without a scenario. Never falls as a trial more passes, and covers at least about as often as stated.
 *
 * Scenarios with equally many groups are taken as one sample with Clopper–Pearson's interval: trials of unequal rates
 * vary less than trials of their mean (Hoeffding 1956, Ann. Math. Stat. 27, 713–721), and a mean over all groups of k
 * trials less than one over groups that share none (Hoeffding 1963, J. Am. Stat. Assoc. 58, 13–30, section 5). Samples
 * of unequal size are put together by MOVER: the squared distances of the ends add up (Zou and Donner 2008, Stat. Med.
 * 27, 1693–1702).
 */
export function stratifiedRateInterval(
  scenarios: readonly ScenarioRate[],
  confidence = 0.95,
): readonly [number, number] | null {
  if (scenarios.length === 0) return null;
  const samples = new Map<number, { count: number; total: number }>();
  let all = 0;
  for (const { value, groups, scenarios: count = 1 } of scenarios) {
    assertRate(value);
    if (groups !== Number.POSITIVE_INFINITY) assertWhole('groups', groups, 1, 1e12);
    assertWhole('scenarios', count, 1, 1e12);
    const sample = samples.get(groups) ?? { count: 0, total: 0 };
    samples.set(groups, { count: sample.count + count, total: sample.total + count * value });
    all += count;
  }
  const strata = [...samples].map(([groups, { count, total }]) => {
    const weight = count / all;
    const mean = Math.min(1, total / count);
    if (groups === Number.POSITIVE_INFINITY) return { weight, mean, low: mean, high: mean };
    const [low, high] = clopperPearsonOfRate(mean, groups * count, confidence);
    return { weight, mean, low, high };
  });
  const [only, ...others] = strata;
  // Exactly its ends, not the mean less the distance to them.
  if (only !== undefined && others.length === 0) return [only.low, only.high];
  const mean = sumOf(strata.map((stratum) => stratum.weight * stratum.mean));
  const below = Math.hypot(...strata.map((stratum) => stratum.weight * (stratum.mean - stratum.low)));
  const above = Math.hypot(...strata.map((stratum) => stratum.weight * (stratum.high - stratum.mean)));
  return [Math.max(0, mean - below), Math.min(1, mean + above)];
}
