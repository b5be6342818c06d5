import { describe, expect, test } from 'vitest';
import { logSumMartingale, sumIsBeyond } from '../../src/stats/sequences/bounded-sum-boundary.ts';
import { logGammaChance } from '../../src/stats/sequences/incomplete-gamma.ts';
import { CostSums, ratioSequence, sideOfRatio } from '../../src/stats/sequences/ratio-sequence.ts';
import { SCALE, aWorld } from './a-world.ts';

describe('the boundary of a bounded sum', () => {
  // Figures of the reference implementation in R, as the tests of confseq 0.0.11 (uniform_boundaries_unittest.cpp) have them:
  // scale 2, variance 100, tuned to variance 100 at α = 0.05. Ours has scale 1.
  const log = 2 * Math.log(1 / (2 * 0.05));
  const rho = 100 / (log + Math.log(1 + log)) / 4;

  test('is that of the published implementation', () => {
    expect(logSumMartingale(10 / 2, 100 / 4, rho)).toBeCloseTo(-0.2490165, 6);
    const limit = -Math.log(0.05);
    expect(logSumMartingale(33.02016 / 2, 25, rho)).toBeLessThan(limit);
    expect(logSumMartingale(33.02018 / 2, 25, rho)).toBeGreaterThan(limit);
  });

  test('is asked in short and in full alike', () => {
    const limit = Math.log(40);
    for (const variance of [0, 0.3, 2, 40, 900, 1e5]) {
      for (let sum = 0.5; sum < 1000; sum *= 1.3) {
        expect([variance, sum, sumIsBeyond(sum, variance, limit)]).toEqual([
          variance,
          sum,
          logSumMartingale(sum, variance) >= limit,
        ]);
      }
    }
  });

  test('rests on an incomplete gamma function that has the known values', () => {
    // P(1, x) = 1 − e^(−x); P(½, x) = erf(√x), here of 1; and the halves of NIST DLMF 8.11.12 for large a.
    for (const x of [1, 1.5, 2, 5, 30]) expect(logGammaChance(1, x)).toBeCloseTo(Math.log1p(-Math.exp(-x)), 13);
    expect(Math.exp(logGammaChance(0.5, 1))).toBeCloseTo(0.842700792949715, 12);
    for (const a of [1e4, 1e6]) {
      expect(Math.exp(logGammaChance(a, a))).toBeCloseTo(0.5 + 1 / (3 * Math.sqrt(2 * Math.PI * a)), 6);
    }
  });
});

describe('the interval of a cost per success that may be looked at whenever one likes', () => {
  const mostCost = 1;

  /** Costs that are mostly small and seldom the most there is, as those of agents that loop. */
  function paid({ uniform }: ReturnType<typeof aWorld>): { readonly cost: number; readonly passed: 0 | 1 } {
    const passed = uniform() < 0.9 ? 1 : 0;
    return { cost: uniform() < 0.02 ? mostCost : 0.1 * uniform(), passed };
  }
  const truth = (0.02 * mostCost + 0.98 * 0.05) / 0.9;

  test('ever misses the truth less often than stated, and excludes others once there is enough', () => {
    const world = aWorld(5);
    const times = 200 * SCALE;
    let missed = 0;
    let [excludesHalf, excludesDouble] = [0, 0];
    for (let i = 0; i < times; i++) {
      const sums = new CostSums();
      let everMissed = false;
      for (let n = 1; n <= 1500; n++) {
        const { cost, passed } = paid(world);
        sums.add(cost, passed);
        if (n % 10 === 0) everMissed ||= sideOfRatio(sums, { ratio: truth, mostCost }) !== null;
      }
      if (everMissed) missed += 1;
      if (sideOfRatio(sums, { ratio: truth / 2, mostCost }) === 'above') excludesHalf += 1;
      if (sideOfRatio(sums, { ratio: truth * 2, mostCost }) === 'below') excludesDouble += 1;
    }
    expect(missed / times).toBeLessThanOrEqual(0.05);
    expect([excludesHalf / times, excludesDouble / times]).toEqual([1, 1]);
  });

  test('has its ends where the sides change, closes in, and is open above while nothing passed', () => {
    const world = aWorld(6);
    const sums = new CostSums();
    let width = Number.POSITIVE_INFINITY;
    for (let n = 1; n <= 20_000; n++) {
      const { cost, passed } = paid(world);
      sums.add(cost, passed);
      if (![200, 2000, 20_000].includes(n)) continue;
      const [low, high] = ratioSequence(sums, { mostCost }) ?? [0, 0];
      expect(sideOfRatio(sums, { ratio: low * 0.999, mostCost })).toBe('above');
      expect(sideOfRatio(sums, { ratio: low * 1.001, mostCost })).toBe(null);
      expect(sideOfRatio(sums, { ratio: (high ?? 0) * 1.001, mostCost })).toBe('below');
      expect(sideOfRatio(sums, { ratio: (high ?? 0) * 0.999, mostCost })).toBe(null);
      expect((high ?? 0) - low).toBeLessThan(width);
      width = (high ?? 0) - low;
    }
    const none = new CostSums();
    expect(ratioSequence(none, { mostCost })).toBe(null);
    none.add(0.2, 0);
    expect(ratioSequence(none, { mostCost })?.[1]).toBe(null);
  });
});
