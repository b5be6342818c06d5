import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import { fisherExact } from '../../src/stats/fisher-exact.ts';
import { mcNemar } from '../../src/stats/mcnemar.ts';
import { stratifiedDifference } from '../../src/stats/stratified-difference.ts';
import { type Stratum, stratifiedTest } from '../../src/stats/stratified-test.ts';

/** Seeded passes of so many trials. */
function someTrials(seed: number): (trials: number, rate: number) => number {
  const random = xoshiro128(seed);
  return (trials, rate) => {
    let passed = 0;
    for (let i = 0; i < trials; i++) if (random.next() < rate * 0x100000000) passed++;
    return passed;
  };
}

function runs(trials: number, before: number, after: number, afterTrials = trials): Stratum {
  return { kind: 'runs', before: { trials, passed: before }, after: { trials: afterTrials, passed: after } };
}

function pairs(trials: number, lost: number, gained: number): Stratum {
  return { kind: 'pairs', trials, lost, gained };
}

describe('the test of several scenarios', () => {
  test('of pairs of equal weight is McNemar’s test of all of them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 8 }), (counts) => {
        const lost = counts.reduce((sum, [one]) => sum + one, 0);
        const gained = counts.reduce((sum, [, one]) => sum + one, 0);
        const result = stratifiedTest(
          counts.map(([one, other]) => pairs(20, one, other)),
          { seed: 0 },
        );
        expect(result?.method).toBe('exact');
        expect(result?.p).toBeCloseTo(mcNemar(lost, gained, 20 * counts.length)?.exact ?? 2, 12);
      }),
    );
  });

  test('of one scenario is Fisher’s test, but for the error of sampling', () => {
    for (const [before, after] of [
      [84, 64],
      [84, 100],
      [200, 193],
    ] as const) {
      const exact = fisherExact({ trials: 200, passed: before }, { trials: 200, passed: after });
      const sampled = stratifiedTest([runs(200, before, after)], { seed: 1 });
      expect(sampled?.method).toBe('sampled');
      expect(Math.abs((sampled?.worse ?? 0) - (exact?.worse ?? 0))).toBeLessThan(0.006);
      expect(Math.abs((sampled?.better ?? 0) - (exact?.better ?? 0))).toBeLessThan(0.006);
    }
  });

  test('is not misled by scenarios of different rates, as a test of all trials together would be', () => {
    // Half of the scenarios fail always, half pass always but for a few trials that were lost.
    const strata = [...Array(5).fill(runs(20, 0, 0)), ...Array(5).fill(runs(20, 20, 18))] as Stratum[];
    const pooled = fisherExact({ trials: 200, passed: 100 }, { trials: 200, passed: 90 });
    expect(pooled?.worse).toBeGreaterThan(0.1);
    expect(stratifiedTest(strata, { seed: 0 })?.worse).toBeLessThan(0.002);
  });

  test('gives every scenario the same weight, however many trials it has', () => {
    const strata = [runs(10_000, 9_000, 9_150), runs(20, 20, 8), runs(20, 19, 8)];
    const result = stratifiedTest(strata, { seed: 0 });
    expect(result?.worse).toBeLessThan(0.001);
  });

  test('is seeded, needs a trial in which chance plays a part, and can decide at the level asked for', () => {
    const strata = [runs(30, 30, 20), runs(20, 20, 10)];
    expect(stratifiedTest(strata, { seed: 5 })).toEqual(stratifiedTest(strata, { seed: 5 }));
    expect(stratifiedTest([], { seed: 0 })).toBe(null);
    expect(stratifiedTest([{ kind: 'exact', difference: -1 }, runs(0, 0, 0, 5)], { seed: 0 })).toBe(null);
    expect(stratifiedTest(strata, { seed: 0 })?.p).toBeGreaterThan(1e-4);
    expect(stratifiedTest(strata, { seed: 0, level: 0.001 })?.p).toBeLessThan(5e-5);
  });

  test.each([
    [2, 5],
    [5, 20],
    [30, 10],
  ])('rejects by chance at most as often as it says (%d scenarios of %d and more trials)', (scenarios, trials) => {
    const passes = someTrials(scenarios);
    const times = 400;
    let rejected = 0;
    for (let i = 0; i < times; i++) {
      const strata = Array.from({ length: scenarios }, (_, at) => {
        const rate = 0.5 + (0.5 * at) / scenarios;
        const more = trials * (1 + (at % 3));
        return runs(trials, passes(trials, rate), passes(more, rate), more);
      });
      if ((stratifiedTest(strata, { seed: i })?.worse ?? 1) <= 0.05) rejected++;
    }
    expect(rejected / times).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / times));
  });
});

describe('the interval of the mean change of several scenarios', () => {
  test('is that of Bonett and Price in shape where nothing differs, and a point where chance plays no part', () => {
    expect(stratifiedDifference([pairs(100, 0, 0), pairs(50, 0, 0)])).toMatchObject({
      mean: 0,
      error: Math.sqrt(2) / 50 / 2,
    });
    const exact = [
      { kind: 'exact', difference: -0.5 },
      { kind: 'exact', difference: 0 },
    ] as const;
    expect(stratifiedDifference(exact)).toEqual({ mean: -0.25, error: 0, interval: [-0.25, -0.25] });
    expect(stratifiedDifference([runs(0, 0, 0)])).toBe(null);
  });

  test.each([
    [2, 5, 0.9],
    [5, 20, 0.95],
    [20, 5, 0.9],
    [20, 100, 0.95],
    [100, 10, 0.8],
    [100, 1, 0.8],
  ])('covers it as stated (%d scenarios, %d trials, pass rate %d)', (scenarios, trials, rate) => {
    const passes = someTrials(7);
    for (const kind of ['pairs', 'runs'] as const) {
      const times = 1500;
      let held = 0;
      for (let i = 0; i < times; i++) {
        const strata = Array.from({ length: scenarios }, () => {
          const passed = passes(trials, rate);
          if (kind === 'runs') return runs(trials, passed, passes(trials, rate - 0.05));
          // Of the passing ones, as many are lost as make a fall of 0.05; none is gained.
          return pairs(trials, passes(passed, 0.05 / rate), 0);
        });
        const interval = stratifiedDifference(strata)?.interval;
        if (interval !== undefined && interval[0] <= -0.05 && -0.05 <= interval[1]) held++;
      }
      expect([kind, held / times >= 0.93]).toEqual([kind, true]);
    }
  });
});
