import fc from 'fast-check';
import { processorMs } from '../support/processor-time.ts';
import { describe, expect, test } from 'vitest';
import { benjaminiHochberg } from '../../src/stats/benjamini-hochberg.ts';
import { fisherExact } from '../../src/stats/fisher-exact.ts';
import { hypergeometric } from '../../src/stats/hypergeometric.ts';
import { mcNemar } from '../../src/stats/mcnemar.ts';
import { binomialBetween } from '../../src/stats/binomial.ts';
import { meanInterval } from '../../src/stats/mean-interval.ts';
import { normalQuantile } from '../../src/stats/normal-quantile.ts';
import { pairedDifferenceInterval, rateChange } from '../../src/stats/paired-difference.ts';
import { fewestSure, nonInferiority, pairedT, testDifference } from '../../src/stats/paired-t.ts';
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
    expect(pairedT([0.5, 0.5])).toEqual({ mean: 0.5, error: 0, df: 1, interval: null, t: null, p: null });
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
    const offsets = Array.from({ length: 100 }, (_, at) => ((at % 5) - 2) / 20);
    const around = (mean: number) => offsets.map((offset) => mean + offset);
    expect(nonInferiority(around(-0.3), 0.1)?.verdict).toBe('worse');
    expect(nonInferiority(around(0), 0.1)?.verdict).toBe('holds');
    expect(nonInferiority(around(-0.1), 0.1)?.verdict).toBe('open');
    expect(nonInferiority(around(-0.102), 0.1)?.p).toBeCloseTo(0.5, 12);
    expect(nonInferiority([-1], 0)).toEqual({ verdict: 'open', mean: -1, lower: null, upper: null, p: null });
    expect(nonInferiority([], 0)).toBe(null);
  });
});

describe('changes of rates over tasks', () => {
  const times = (count: number, difference: number) => Array.from({ length: count }, () => difference);

  // By fifty lines of Python: incomplete beta by its continued fraction, t by bisection.
  test.each([
    [times(5, 0.1), 0.07142857142857142, 0.20275076256358845, [-0.49149779086622325, 0.634354933723366]],
    [times(60, -0.1), -0.09677419354838701, 0.02292000089161002, [-0.14263700939827756, -0.05091137769849646]],
    [times(6, -1), -0.75, 0.23385358667337133, [-1, -0.1488602178990296]],
    [times(40, 0), 0, 0.033671751485073696, [-0.06810754599059281, 0.06810754599059281]],
    [[-0.4, 0, 0.1], -0.06, 0.293393933134276, [-1, 1]],
    [times(2, 0.1), 0.05, 0.3544361719689456, [-1, 1]],
  ])('of %j have an interval with a width', (differences, center, error, [low = 0, high = 0]) => {
    const change = rateChange(differences);
    expect(change?.center).toBeCloseTo(center, 12);
    expect(change?.error).toBeCloseTo(error, 12);
    expect(change?.interval?.[0]).toBeCloseTo(low, 9);
    expect(change?.interval?.[1]).toBeCloseTo(high, 9);
  });

  test('of 1, 0 and −1 have the interval of Bonett and Price, with t in place of z', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.nat(30), (lost, gained, same) => {
        fc.pre(lost + gained + same > 1);
        const pairs = lost + gained + same;
        const change = rateChange([...times(lost, -1), ...times(gained, 1), ...times(same, 0)]);
        const [low = 0, high = 0] = pairedDifferenceInterval(lost, gained, pairs, 0.2) ?? [];
        const half = -normalQuantile(0.4) * (change?.error ?? 0);
        expect(change?.center).toBeCloseTo((low + high) / 2, 12);
        expect(half).toBeCloseTo((high - low) / 2, 12);
        expect(change?.mean).toBeCloseTo((gained - lost) / pairs, 12);
      }),
    );
  });

  test('of many tasks differ from Student’s by next to nothing', () => {
    const differences = Array.from({ length: 10_000 }, (_, at) => ((at % 7) - 3) / 10);
    const [change, student] = [rateChange(differences)?.interval, pairedT(differences)?.interval];
    expect(Math.abs((change?.[0] ?? 1) - (student?.[0] ?? 0))).toBeLessThan(1e-5);
    expect(Math.abs((change?.[1] ?? 1) - (student?.[1] ?? 0))).toBeLessThan(1e-5);
  });

  test('never miss what one task in fifty loses oftener than stated, where Student’s do nearly always', () => {
    // All ways in which so many tasks can be lost, added up.
    for (const tasks of [2, 5, 20, 100]) {
      const missed = (interval: (differences: readonly number[]) => readonly [number, number] | null | undefined) =>
        [...Array(tasks + 1).keys()].reduce((sum, lost) => {
          const found = interval([...times(lost, -1), ...times(tasks - lost, 0)]);
          const holds = found !== null && found !== undefined && found[0] <= -0.02 && found[1] >= -0.02;
          return sum + (holds ? 0 : binomialBetween(tasks, 0.02, lost, lost));
        }, 0);
      expect(missed((differences) => rateChange(differences)?.interval)).toBeLessThan(0.05);
      expect(missed((differences) => meanInterval(differences)?.interval)).toBeGreaterThan(0.1);
    }
  });

  test('of no loss at all show a margin of 0.02 from 138 tasks on, and never with two', () => {
    expect(nonInferiority(times(137, 0), 0.02, 0.975)?.verdict).toBe('open');
    expect(nonInferiority(times(138, 0), 0.02, 0.975)?.verdict).toBe('holds');
    expect(nonInferiority([0.1, 0.1], 0, 0.975)?.verdict).toBe('open');
    expect(nonInferiority([-0.1, -0.1], 0.02, 0.975)?.verdict).toBe('open');
    expect(nonInferiority([0, 0], 0)?.verdict).toBe('open');
  });

  test('are between bounds that are said, else refused', () => {
    expect(rateChange([], 0.95)).toBe(null);
    expect(rateChange([0.3])).toMatchObject({ mean: 0.3, error: null, interval: null });
    expect(() => rateChange([5, 4])).toThrow('A difference of 5 is impossible: give numbers from -1 to 1');
    expect(rateChange([5, 4], 0.95, 10)?.interval).toEqual([-10, 10]);
    expect(() => rateChange([0, 0], 0.95, 0)).toThrow('A largest difference of 0 is impossible');
  });

  test('few differences of any kind are never surely none, however alike', () => {
    expect(testDifference(times(2, 0.1), 0)).toEqual({ p: 0.5, test: 'sign_flip' });
    expect([fewestSure(0.05), testDifference(times(5, 3), 0)?.p, testDifference(times(6, 3), 0)?.p]).toEqual([
      6,
      2 / 32,
      2 / 64,
    ]);
    // Signs of more are drawn where they are all equal, which has no t.
    expect(testDifference(times(21, 1), 0)?.test).toBe('sign_flip');
    expect(testDifference([...times(21, 1), 2], 0)?.test).toBe('paired_t');
    expect(testDifference([1], 0)).toBe(null);
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
