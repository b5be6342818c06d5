import fc from 'fast-check';
import { processorMs } from '../support/processor-time.ts';
import { describe, expect, test } from 'vitest';
import { benjaminiHochberg } from '../../src/stats/benjamini-hochberg.ts';
import { fisherExact } from '../../src/stats/fisher-exact.ts';
import { hypergeometric } from '../../src/stats/hypergeometric.ts';
import { mcNemar } from '../../src/stats/mcnemar.ts';
import { nonInferiority, pairedT } from '../../src/stats/paired-t.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { newcombeInterval, twoProportions } from '../../src/stats/two-proportions.ts';
import { decimals, relativeError } from './relative-error.ts';

describe("McNemar's test", () => {
  test.each([
    [6, 0, 0.03125, 0.015625],
    [5, 0, 0.0625, 0.03125],
    [10, 2, 0.03857421875, 0.0224609375],
    // [H4]
    [4, 13, 0.049041748046875, 0.0308837890625],
    [13, 4, 0.049041748046875, 0.0308837890625],
    [3, 3, 1, 1],
    [0, 0, 1, 1],
  ])('F-07: %d lost, %d gained: p %d, mid-p %d', (lost, gained, exact, midP) => {
    const result = mcNemar(lost, gained, 114);
    expect(relativeError(result?.exact, exact)).toBeLessThan(1e-14);
    expect(relativeError(result?.midP, midP)).toBeLessThan(1e-14);
  });

  test('F-07, F-13 [H6]: 58 against 18', () => {
    expect(mcNemar(58, 18, 350)?.exact.toExponential(5)).toBe('4.71324e-6');
  });

  test('F-07 [H4], R-02: 114 pairs, 4 lost, 13 gained', () => {
    const result = mcNemar(4, 13, 114);
    expect(decimals([result?.difference ?? 0], 4)).toEqual(['0.0789']);
    expect(result?.error).toBeCloseTo(Math.sqrt(17 - 81 / 114) / 114, 15);
  });

  test('F-09 [H1]: repeated runs of one agent show no difference', () => {
    const pairs = [
      [9, 10],
      [9, 8],
      [7, 7],
      [7, 5],
      [6, 5],
      [7, 8],
    ] as const;
    for (const [lost, gained] of pairs) expect(mcNemar(lost, gained, 50)?.exact).toBeGreaterThan(0.774);
  });

  test('mid-p never exceeds the exact p, neither depends on direction, and both hold at 1e9 pairs', () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), fc.nat({ max: 500 }), (lost, gained) => {
        const one = mcNemar(lost, gained, 1000);
        const other = mcNemar(gained, lost, 1000);
        expect([one?.exact, one?.midP]).toEqual([other?.exact, other?.midP]);
        expect(one?.midP).toBeLessThanOrEqual(one?.exact ?? 0);
      }),
    );
    // 40 digits of mpmath: 2·P(X ≤ 4.9995e8 of 1e9).
    expect(relativeError(mcNemar(499_950_000, 500_050_000, 1e9)?.exact, 0.0015655722610838077)).toBeLessThan(1e-11);
    expect(mcNemar(0, 0, 0)).toBe(null);
    expect(() => mcNemar(3, 3, 5)).toThrow('6 passed of 5 trials is impossible');
  });
});

describe('paired differences over scenarios', () => {
  test('R-05 [H1]: trials 0 and 1 against 2 and 3', () => {
    // Any 50 half-steps with sum −1 and square sum 5 give the stated statistic.
    const differences = [
      ...Array.from({ length: 9 }, () => 0.5),
      ...Array.from({ length: 11 }, () => -0.5),
      ...Array.from({ length: 30 }, () => 0),
    ];
    const result = pairedT(differences);
    expect([result?.mean.toFixed(2), result?.t?.toFixed(3), result?.p?.toFixed(3)]).toEqual([
      '-0.02',
      '-0.444',
      '0.659',
    ]);
    // 2·P(X ≤ 9) of 20 fair flips.
    expect(signFlip(differences, { seed: 0 })).toEqual({ p: 0.8238029479980469, method: 'exact' });
  });

  test('differences that are all equal, or alone, have no t', () => {
    expect(pairedT([0.5, 0.5])).toEqual({ mean: 0.5, error: 0, df: 1, interval: [0.5, 0.5], t: null, p: null });
    expect(pairedT([0.5])).toMatchObject({ error: null, t: null, p: null });
    expect(pairedT([])).toBe(null);
  });

  test('F-08: signs are flipped in every way up to 20 differences', () => {
    expect(signFlip([1, 1, 1, 1, 1], { seed: 0 })).toEqual({ p: 2 / 32, method: 'exact' });
    expect(signFlip([1, 2, 3], { seed: 0 })).toEqual({ p: 2 / 8, method: 'exact' });
    expect(signFlip([1, 2, -3], { seed: 0 })).toEqual({ p: 1, method: 'exact' });
    expect(signFlip([0, 0], { seed: 0 })).toEqual({ p: 1, method: 'exact' });
    expect(signFlip([], { seed: 0 })).toBe(null);
    // Rounding makes no tie a difference: 0.1 + 0.2 is not 0.3.
    expect(signFlip([0.1, 0.2, -0.3], { seed: 0 })?.p).toBe(1);
  });

  test('F-08: the ways to flip signs are counted as if each were tried', () => {
    // Tenths add up to ties that rounding hides.
    const difference = fc.integer({ min: -9, max: 9 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 10 }), (differences) => {
        const sumOf = (pattern: number): number =>
          Math.abs(differences.reduce((sum, one, at) => sum + ((pattern >>> at) & 1 ? -one : one), 0));
        const patterns = [...Array(2 ** differences.length).keys()];
        const hits = patterns.filter((pattern) => sumOf(pattern) >= sumOf(0) - 1e-11).length;
        expect(signFlip(differences, { seed: 0 })?.p).toBe(hits / patterns.length);
      }),
    );
  });

  test('F-08: beyond, draws are seeded and agree with the exact test', () => {
    const differences = Array.from({ length: 21 }, (_, i) => (i < 15 ? 1 : -1));
    const sampled = signFlip(differences, { seed: 5 });
    expect(sampled?.method).toBe('sampled');
    expect(sampled).toEqual(signFlip(differences, { seed: 5 }));
    // 2·P(X ≤ 6) of 21 fair flips is 0.0783; three Monte-Carlo errors.
    expect(Math.abs((sampled?.p ?? 0) - 0.07835)).toBeLessThan(0.0081);
  });

  test('one sign pattern of equal sizes is as likely as McNemar says', () => {
    fc.assert(
      fc.property(fc.nat({ max: 7 }), fc.nat({ max: 7 }), (lost, gained) => {
        fc.pre(lost + gained > 0);
        const differences = [...Array.from({ length: lost }, () => -1), ...Array.from({ length: gained }, () => 1)];
        expect(signFlip(differences, { seed: 0 })?.p).toBeCloseTo(mcNemar(lost, gained, 20)?.exact ?? -1, 12);
      }),
    );
  });

  test('F-09: a loss beyond the margin is worse, holds or stays open by one-sided bounds', () => {
    const around = (mean: number) => [-0.1, -0.05, 0, 0.05, 0.1].map((offset) => mean + offset);
    expect(nonInferiority(around(-0.3), 0.1)?.verdict).toBe('worse');
    expect(nonInferiority(around(0), 0.1)?.verdict).toBe('holds');
    expect(nonInferiority(around(-0.1), 0.1)?.verdict).toBe('open');
    expect(nonInferiority(around(-0.1), 0.1)?.p).toBeCloseTo(0.5, 12);
    expect(nonInferiority([0, 0], 0)?.verdict).toBe('holds');
    expect(nonInferiority([-1], 0)).toEqual({ verdict: 'open', mean: -1, lower: null, upper: null, p: null });
    expect(nonInferiority([], 0)).toBe(null);
  });
});

describe('two independent runs', () => {
  const before = { trials: 200, passed: 84 };
  const after = { trials: 200, passed: 64 };

  test('F-06: 84 of 200 against 64 of 200', () => {
    const result = twoProportions(before, after);
    expect(decimals([result?.z ?? 0, result?.p ?? 0, fisherExact(before, after)?.p ?? 0], 6)).toEqual([
      '-2.071233',
      '0.038337',
      '0.048931',
    ]);
    expect(decimals(newcombeInterval(before, after) ?? [], 6)).toEqual(['-0.192132', '-0.005397']);
  });

  test('finding 5 [H4]: taken as unpaired, 9 more of 114 are no longer significant', () => {
    // Of all rates that differ by 9 of 114, 93 against 102 (and its mirror) have the p-value of the spec.
    const unpaired = twoProportions({ trials: 114, passed: 93 }, { trials: 114, passed: 102 });
    expect(unpaired?.p.toFixed(4)).toBe('0.0902');
    expect(mcNemar(4, 13, 114)?.exact.toFixed(4)).toBe('0.0490');
  });

  // SciPy 1.17.
  test.each([
    [10, 8, 6, 1, 0.034965034965034975],
    [1e6, 950_000, 1e6, 949_000, 0.0012554641192332571],
  ])("Fisher's p of %d trials, %d passed, against %d, %d is %d", (n1, c1, n2, c2, exact) => {
    const result = fisherExact({ trials: n1, passed: c1 }, { trials: n2, passed: c2 });
    expect(relativeError(result?.p, exact)).toBeLessThan(1e-9);
  });

  test("Fisher's test takes 1e9 trials and agrees with the score test there", () => {
    const one = { trials: 1e9, passed: 950_000_000 };
    const other = { trials: 1e9, passed: 950_020_000 };
    expect(relativeError(fisherExact(one, other)?.p, twoProportions(one, other)?.p ?? 0)).toBeLessThan(1e-3);
    expect(fisherExact(one, { trials: 1e9, passed: 1 })).toEqual({ p: 0, worse: 0, better: 1 });
  });

  test("Fisher's test takes a moment for runs as far apart as can be (section 1: it took 17 s)", () => {
    const none = { trials: 1e9, passed: 0 };
    const all = { trials: 1e9, passed: 1e9 };
    const before = processorMs();
    expect(fisherExact(none, all)).toEqual({ p: 0, worse: 1, better: 0 });
    expect(fisherExact(all, none)).toEqual({ p: 0, worse: 0, better: 1 });
    expect(processorMs() - before).toBeLessThan(5000);
  });

  test("each side of Fisher's test rejects by chance at most as often as it says, however unequal the runs", () => {
    // 1e4 against 100 trials at 0.988; the score test is four times too eager in this tail (section 5).
    const [before, after] = [10_000, 100];
    const passed = 9_980;
    for (const level of [0.025, 0.000125]) {
      const chances = hypergeometric(before, after, passed);
      let rejected = 0;
      for (let count = chances.least; count <= chances.most; count++) {
        const run = { trials: after, passed: count };
        const result = fisherExact({ trials: before, passed: passed - count }, run);
        if ((result?.worse ?? 1) <= level) rejected += Math.exp(chances.log(count));
      }
      expect(rejected).toBeLessThanOrEqual(level);
    }
  });

  test("Fisher's test is exact and never tells a run from itself", () => {
    const small = fc
      .integer({ min: 1, max: 25 })
      .chain((trials) => fc.record({ trials: fc.constant(trials), passed: fc.integer({ min: 0, max: trials }) }));
    fc.assert(
      fc.property(small, small, (one, other) => {
        const chances = tables(one.trials, other.trials, one.passed + other.passed);
        const observed = chances.get(one.passed) ?? 0;
        const exact = [...chances.values()]
          .filter((chance) => chance <= observed * (1 + 1e-7))
          .reduce((a, b) => a + b, 0);
        expect(fisherExact(one, other)?.p).toBeCloseTo(exact, 12);
        expect(fisherExact(one, one)?.p).toBeCloseTo(1, 12);
        const upTo = [...chances].filter(([count]) => count >= one.passed).reduce((sum, [, chance]) => sum + chance, 0);
        expect(fisherExact(one, other)?.worse).toBeCloseTo(upTo, 12);
      }),
    );
  });

  test("Newcombe's interval holds the difference and mirrors", () => {
    const runs = fc
      .integer({ min: 1, max: 1e6 })
      .chain((trials) => fc.record({ trials: fc.constant(trials), passed: fc.integer({ min: 0, max: trials }) }));
    fc.assert(
      fc.property(runs, runs, (one, other) => {
        const [low = 2, high = -2] = newcombeInterval(one, other) ?? [];
        const difference = other.passed / other.trials - one.passed / one.trials;
        expect(low - 1e-12 <= difference && difference <= high + 1e-12).toBe(true);
        const [back = 2, forth = -2] = newcombeInterval(other, one) ?? [];
        expect([-forth, -back].map((bound, i) => Math.abs(bound - ([low, high][i] ?? 9)) < 1e-12)).toEqual([
          true,
          true,
        ]);
      }),
    );
  });

  test('runs without trials, or without a difference, say nothing', () => {
    const none = { trials: 0, passed: 0 };
    expect([twoProportions(none, before), newcombeInterval(none, before), fisherExact(none, before)]).toEqual([
      null,
      null,
      null,
    ]);
    const all = { trials: 5, passed: 5 };
    expect(twoProportions(all, all)).toEqual({ difference: 0, z: 0, p: 1 });
  });
});

describe('many tests at once', () => {
  test('F-08: Benjamini–Hochberg', () => {
    expect(decimals(benjaminiHochberg([0.001, 0.012, 0.03, 0.04, 0.2]), 10)).toEqual(
      decimals([0.005, 0.03, 0.05, 0.05, 0.2], 10),
    );
    expect(benjaminiHochberg([0.04, 0.001])).toEqual([0.04, 0.002]);
    expect(benjaminiHochberg([])).toEqual([]);
    expect(() => benjaminiHochberg([1.2])).toThrow('A p-value of 1.2 is impossible: give numbers from 0 to 1.');
  });

  test('q-values keep the order of p-values, are no smaller, and do not depend on the order given', () => {
    const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(chances, (p) => {
        const q = benjaminiHochberg(p);
        expect(q.every((value, i) => value >= (p[i] ?? 2) && value <= 1)).toBe(true);
        expect(benjaminiHochberg([...p].reverse())).toEqual([...q].reverse());
        const order = p.map((value, i) => [value, q[i] ?? 0] as const).sort((one, other) => one[0] - other[0]);
        expect(order.every(([, value], i) => i === 0 || value >= (order[i - 1]?.[1] ?? 0))).toBe(true);
      }),
    );
  });
});

/** Chances of all tables with these sums, by passes in the first run. */
function tables(n1: number, n2: number, passed: number): ReadonlyMap<number, number> {
  const choose = (n: number, k: number): number => {
    let result = 1;
    for (let i = 0; i < k; i++) result *= (n - i) / (i + 1);
    return result;
  };
  const chances = new Map<number, number>();
  for (let x = Math.max(0, passed - n2); x <= Math.min(passed, n1); x++) {
    chances.set(x, (choose(n1, x) * choose(n2, passed - x)) / choose(n1 + n2, passed));
  }
  return chances;
}
