import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval, bootstrapMean } from '../../src/stats/bootstrap.ts';
import { clusteredInterval, fixedScenariosError } from '../../src/stats/clustered-interval.ts';
import { meanInterval, meanOfAlike } from '../../src/stats/mean-interval.ts';
import { passHatK } from '../../src/stats/pass-hat-k.ts';
import { bootstrapRatio, ratioInterval } from '../../src/stats/ratio-interval.ts';
import { twoWayError } from '../../src/stats/two-way-error.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';
import { decimals } from './relative-error.ts';

// [H1]: pass^1..pass^4 = 21/50, 41/150, 11/50, 1/5 of 50 tasks with 4 trials have exactly one histogram of passes.
const H1 = [14, 12, 10, 4, 10].flatMap((tasks, passed) => Array.from({ length: tasks }, () => ({ trials: 4, passed })));

describe('errors over scenarios', () => {
  test('F-03 [H1]: trials clustered in scenarios', () => {
    const result = clusteredInterval(H1);
    expect(result?.rate).toBe(0.42);
    expect(decimals([result?.error ?? 0, result?.naiveError ?? 0], 9)).toEqual(['0.052216191', '0.034987435']);
    expect(decimals([result?.designEffect ?? 0, ...(result?.interval ?? [])], 6)).toEqual([
      '2.227338',
      '0.315068',
      '0.524932',
    ]);
    expect([result?.df, result?.method]).toEqual([49, 'student']);
  });

  test.each([
    [1, 0.42, '0.052216191', ['0.315068', '0.524932']],
    [2, 41 / 150, '0.055483854', null],
    [3, 0.22, '0.056532454', null],
    [4, 0.2, '0.057142857', ['0.085167', '0.314833']],
  ])('F-03 [H1]: mean pass^%d is %d with error %s', (k, mean, error, interval) => {
    const result = meanInterval(H1.map(({ trials, passed }) => passHatK(trials, passed, k) ?? 0));
    expect(result?.mean).toBeCloseTo(mean, 14);
    expect(decimals([result?.error ?? null], 9)).toEqual([error]);
    if (interval !== null) expect(decimals(result?.interval ?? [], 6)).toEqual(interval);
  });

  test('M-06: a scenario with fewer than k trials has no pass^k; it is no 0 and no power of the rate', () => {
    expect([passHatK(1, 1, 2), passHatK(1, 0, 2)]).toEqual([null, null]);
  });

  test('the clustered error of a balanced design is that of the mean of scenario rates', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 2, max: 9 })
          .chain((trials) =>
            fc.tuple(
              fc.constant(trials),
              fc.array(fc.integer({ min: 0, max: trials }), { minLength: 2, maxLength: 40 }),
            ),
          ),
        ([trials, counts]) => {
          const clustered = clusteredInterval(counts.map((passed) => ({ trials, passed })));
          const mean = meanInterval(counts.map((passed) => passed / trials));
          expect(clustered?.rate).toBeCloseTo(mean?.mean ?? -1, 13);
          expect(clustered?.error).toBeCloseTo(mean?.error ?? -1, 13);
        },
      ),
    );
  });

  test('F-03: scenarios that all agree fall back to Wilson with one trial for each, and say so', () => {
    const clusters = [1, 2, 3].map((times) => ({ trials: 4 * times, passed: 4 * times }));
    expect(clusteredInterval(clusters)).toEqual({
      rate: 1,
      error: 0,
      naiveError: 0,
      designEffect: null,
      df: 2,
      interval: wilsonInterval(3, 3),
      method: 'wilson',
    });
  });

  test.each([
    // Share of scenarios unseen by Wilson's bound: s = z²/(n + z²); low = max(rate·(1 − s), student's high − s), and so on.
    [300, 299, 1, [0.256357, 0.913977], 'wilson'],
    [300, 300, 1, [0.256785, 0.914405], 'wilson'],
    [300, 299, 500, [0.745885, 0.749711], 'wilson'],
    [400, 398, 2, [0.512203, 1], 'wilson'],
    [300, 100, 25, [0.428229, 0.571771], 'student'],
  ] as const)('two kinds of scenarios at %d and %d of 400, %d of each, are as sure as so few can be', (...row) => {
    const [one, other, scenarios, interval, method] = row;
    const clusters = [one, other].map((passed) => ({ trials: 400, passed, scenarios }));
    const found = clusteredInterval(clusters);
    expect(decimals(found?.interval ?? [], 6)).toEqual(decimals(interval, 6));
    expect(found?.method).toBe(method);
  });

  test('law: an interval holds Student’s, is as wide as what was not seen, and does not jump as a trial more passes', () => {
    const run = fc.record({ passed: fc.integer({ min: 0, max: 1e6 - 1 }), trials: fc.constant(1e6) });
    fc.assert(
      fc.property(fc.array(run, { minLength: 2, maxLength: 8 }), (clusters) => {
        const found = clusteredInterval(clusters);
        if (found === null) throw new Error('None.');
        const [low, high] = found.interval;
        const student = meanInterval(clusters.map(({ passed, trials }) => passed / trials))?.interval ?? [0, 0];
        expect(low).toBeLessThanOrEqual(Math.max(0, student[0]) + 1e-9);
        expect(high).toBeGreaterThanOrEqual(Math.min(1, student[1]) - 1e-9);
        const unseen = wilsonInterval(clusters.length, 0)?.[1] ?? 1;
        if (low > 0 && high < 1) expect(high - low).toBeGreaterThan(unseen - 1e-9);
        const more = clusteredInterval(
          clusters.map((one, at) => (at === 0 ? { ...one, passed: one.passed + 1 } : one)),
        );
        expect(Math.abs((more?.interval[0] ?? 0) - low)).toBeLessThan(1e-4);
        expect(Math.abs((more?.interval[1] ?? 0) - high)).toBeLessThan(1e-4);
      }),
    );
  });

  test('scenarios of unequal size have the error of leaving out one at a time', () => {
    const clusters = [
      { trials: 40, passed: 30 },
      { trials: 4, passed: 1 },
      { trials: 4, passed: 4 },
      { trials: 2, passed: 0 },
    ];
    const found = clusteredInterval(clusters);
    const without = clusters.map((left) => {
      const rest = clusters.filter((one) => one !== left);
      const sum = (of: (one: (typeof rest)[number]) => number): number => rest.reduce((all, one) => all + of(one), 0);
      return sum(({ passed }) => passed) / sum(({ trials }) => trials);
    });
    const squares = without.reduce((sum, rate) => sum + (rate - 35 / 50) ** 2, 0);
    expect(found?.error).toBeCloseTo(Math.sqrt((3 / 4) * squares), 14);
    // 50² / (40² + 4² + 4² + 2²) = 1.53 scenarios of equal size have no more than one degree of freedom.
    expect([found?.df, found?.interval]).toEqual([3, [0, 1]]);
  });

  test('F-03 (a): exactly these scenarios, were their trials drawn again', () => {
    // √(14·0 + 12·(3/16) + 10·(1/4) + 4·(3/16)) / 3 / 50.
    expect(fixedScenariosError(H1)).toBeCloseTo(Math.sqrt((12 * 0.1875 + 10 * 0.25 + 4 * 0.1875) / 3) / 50, 15);
    expect([fixedScenariosError([]), fixedScenariosError([{ trials: 1, passed: 1 }])]).toEqual([null, null]);
  });

  test('scenarios that are alike may be told together', () => {
    const run = fc.integer({ min: 0, max: 6 }).chain((trials) =>
      fc.record({
        trials: fc.constant(trials),
        passed: fc.integer({ min: 0, max: trials }),
        scenarios: fc.integer({ min: 0, max: 4 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (together) => {
        const apart = together.flatMap(({ scenarios, ...one }) => Array.from({ length: scenarios }, () => one));
        const [many, few] = [clusteredInterval(apart), clusteredInterval(together)];
        expect(few === null).toBe(many === null);
        expect([few?.method, few?.df]).toEqual([many?.method, many?.df]);
        expect(few?.rate ?? 0).toBe(many?.rate ?? 0);
        expect(few?.error ?? 0).toBeCloseTo(many?.error ?? 0, 12);
        expect(few?.designEffect ?? 0).toBeCloseTo(many?.designEffect ?? 0, 9);
        expect(fixedScenariosError(together) ?? -1).toBeCloseTo(fixedScenariosError(apart) ?? -1, 12);
        const rates = together.filter(({ trials }) => trials > 0);
        const mean = meanOfAlike(rates.map(({ trials, passed, scenarios }) => ({ value: passed / trials, scenarios })));
        const each = meanInterval(apart.flatMap(({ trials, passed }) => (trials === 0 ? [] : [passed / trials])));
        expect([mean?.df, mean === null]).toEqual([each?.df, each === null]);
        expect(mean?.mean ?? 0).toBeCloseTo(each?.mean ?? 0, 12);
        expect(mean?.error ?? 0).toBeCloseTo(each?.error ?? 0, 9);
      }),
    );
  });

  test('too few scenarios have no error', () => {
    expect([clusteredInterval([]), clusteredInterval([{ trials: 8, passed: 5 }]), meanInterval([])]).toEqual([
      null,
      null,
      null,
    ]);
    expect(meanInterval([3])).toEqual({ mean: 3, error: null, df: 0, interval: null });
  });

  test('F-04: the toy table of a crossed design', () => {
    const cells = [
      [1, 0],
      [1, 1],
      [0, 0],
    ].flatMap((row, i) => row.map((value, j) => ({ row: `u${i}`, column: `i${j}`, value })));
    const result = twoWayError(cells);
    expect(result?.mean).toBe(0.5);
    expect(decimals([result?.rowVariance ?? 0, result?.columnVariance ?? 0, result?.cellVariance ?? 0], 7)).toEqual([
      '0.0833333',
      '0.0277778',
      '0.0500000',
    ]);
    expect(decimals([result?.error ?? 0], 7)).toEqual(['0.2472066']);
    expect([result?.df, result?.floored]).toEqual([1, false]);
  });

  test('a crossed design with missing and repeated cells has the error that statsmodels gives it', () => {
    // statsmodels 0.15.0: OLS(y, 1).fit(cov_type='cluster', cov_kwds={'groups': rows and columns}).bse.
    const told = ['0a1 0b0 0c1 0d1', '1a0 1b0 1c1 1e0', '2a1 2b1 2c1 2d1 2e1', '3a0 3c1 3d0 3e0'];
    const again = ['4a1 4a0 4b0 4b0 4c1 4c1 4d0', '5a0 5b0 5c1 5d0 5e0 5e1'];
    const single = [...told, ...again].flatMap((line) =>
      line.split(' ').map(([row = '', column = '', value]) => ({ row, column, value: Number(value) })),
    );
    const result = twoWayError(single);
    expect(result?.error).toBeCloseTo(0.1701306687356646, 14);
    expect(result?.rowVariance).toBeCloseTo(0.014, 14);
    expect(result?.columnVariance).toBeCloseTo(0.02361111111111, 13);
    expect(result?.cellVariance).toBeCloseTo(0.00866666666667, 13);
    expect([result?.mean, result?.rows, result?.columns, result?.df]).toEqual([0.5, 6, 5, 4]);
    // Results of one cell may be told by their mean.
    const names = [...new Set(single.map(({ row, column }) => row + column))];
    const together = names.map((name) => {
      const same = single.filter(({ row, column }) => row + column === name);
      const value = same.reduce((sum, one) => sum + one.value, 0) / same.length;
      return { row: name.slice(0, 1), column: name.slice(1), value, trials: same.length };
    });
    expect(together.length).toBe(26);
    expect(twoWayError(together)?.error).toBeCloseTo(0.1701306687356646, 14);
  });

  test('of a crossed design are sums over all pairs of results that share a row or a column', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const cell = fc.record({ row: key, column: key, value: fc.integer({ min: 0, max: 1 }) });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 4, maxLength: 24 }), (cells) => {
        const result = twoWayError(cells);
        const count = (of: (one: (typeof cells)[number]) => string): number => new Set(cells.map(of)).size;
        const [rows, columns] = [count(({ row }) => row), count(({ column }) => column)];
        expect(result === null).toBe(rows < 2 || columns < 2);
        if (result === null) return;
        const both = count(({ row, column }) => row + column);
        // Cameron, Gelbach and Miller 2011, section 2.2: an indicator for each pair of results.
        let sum = 0;
        for (const one of cells) {
          for (const other of cells) {
            const weight =
              (one.row === other.row ? rows / (rows - 1) : 0) +
              (one.column === other.column ? columns / (columns - 1) : 0) -
              (one.row === other.row && one.column === other.column ? both / (both - 1) : 0);
            sum += (weight * (one.value - result.mean) * (other.value - result.mean)) / cells.length ** 2;
          }
        }
        if (!result.floored) expect(result.error ** 2).toBeCloseTo(sum, 12);
        else expect(sum).toBeLessThan(1e-12);
      }),
    );
  });

  test('a crossed design with a negative sum of variances takes the larger part and says so; one row has no error', () => {
    const cells = [
      [1, 0],
      [0, 1],
    ].flatMap((row, i) => row.map((value, j) => ({ row: `u${i}`, column: `i${j}`, value })));
    expect(twoWayError(cells)).toMatchObject({ floored: true, error: 0 });
    expect(twoWayError([{ row: 'a', column: 'b', value: 1 }])).toBe(null);
    const strata = cells.map((cell) => ({ ...cell, stratum: cell.row }));
    expect(twoWayError(strata)?.rowVariance).toBe(0);
  });
});

describe('the scenario bootstrap', () => {
  const rates = H1.map(({ trials, passed }) => passed / trials);

  test('F-03: agrees with the clustered interval within Monte-Carlo error', () => {
    const [low = 0, high = 0] = bootstrapMean(rates, { seed: 1 })?.interval ?? [];
    expect(Math.abs(low - 0.3177)).toBeLessThan(0.006);
    expect(Math.abs(high - 0.5223)).toBeLessThan(0.006);
  });

  test('the same seed gives the same interval, another seed another', () => {
    const of = (seed: number) => bootstrapMean(rates, { seed, resamples: 500 });
    expect(of(7)).toEqual(of(7));
    expect(of(7)).not.toEqual(of(8));
  });

  test('is frozen: a change of these bytes is a change of every interval', () => {
    expect(bootstrapMean([0.02, 0.3, 0.41, 0.57, 0.6, 0.83, 1], { seed: 0, resamples: 1000 })).toMatchInlineSnapshot(`
      {
        "interval": [
          0.31428571428571433,
          0.7328928571428571,
        ],
        "resamples": 1000,
        "undefinedResamples": 0,
      }
    `);
  });

  test('lies within the values, and counts resamples that have no statistic', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 9 }), (values) => {
        const [low = 0, high = 0] = bootstrapMean(values, { seed: 3, resamples: 100 })?.interval ?? [];
        expect(Math.min(...values) - 1e-9 <= low && low <= high && high <= Math.max(...values) + 1e-9).toBe(true);
      }),
    );
    const never = bootstrapInterval(3, () => null, { seed: 0, resamples: 10 });
    const some = bootstrapInterval(2, (positions) => (positions[0] === 0 ? 1 : null), { seed: 0, resamples: 100 });
    expect([never, bootstrapMean([], { seed: 0 })]).toEqual([null, null]);
    expect(some?.interval).toEqual([1, 1]);
    expect(some?.undefinedResamples).toBeGreaterThan(20);
  });
});

describe('cost per success', () => {
  const spent = [0.5, 0.62, 0.44, 0.91, 0.83];
  const passes = [4, 4, 4, 2, 1];
  const spendings = spent.map((cost, i) => ({ cost, passed: passes[i] ?? 0 }));

  test('F-11, M-50: five scenarios', () => {
    const result = ratioInterval(spendings);
    expect(decimals([result?.ratio ?? 0], 4)).toEqual(['0.2200']);
    expect(decimals([result?.error ?? 0], 7)).toEqual(['0.0744834']);
    expect(decimals(result?.interval ?? [], 4)).toEqual(['0.0132', '0.4268']);
    expect([result?.df, result?.method]).toEqual([4, 'delta']);
  });

  test('F-11: the bootstrap is as wide, and leans to the dear side', () => {
    const [low = 0, high = 0] = bootstrapRatio(spendings, { seed: 2 })?.interval ?? [];
    expect(low).toBeGreaterThan(0.1);
    expect(high).toBeGreaterThan(0.35);
  });

  test("F-11: Fieller's interval where the plain one would go below 0, without an end where passes are too rare", () => {
    const rare = ratioInterval([
      { cost: 1, passed: 0 },
      { cost: 1, passed: 0 },
      { cost: 1, passed: 3 },
    ]);
    expect(rare).toMatchObject({ ratio: 1, method: 'fieller' });
    expect(rare?.interval?.[1]).toBe(null);
    expect(rare?.interval?.[0]).toBeGreaterThan(0);
    const fair = ratioInterval([
      { cost: 0, passed: 5 },
      { cost: 0, passed: 4 },
      { cost: 9, passed: 5 },
      { cost: 0, passed: 5 },
    ]);
    expect(fair?.method).toBe('fieller');
    expect(fair?.interval?.[0]).toBe(0);
    expect(fair?.interval?.[1]).toBeGreaterThan(fair?.ratio ?? 1);
  });

  test('no passes have no ratio; one scenario has no error', () => {
    // Equal prices say nothing of others; 0.1 · 3 is no exact product.
    const alike = [1, 2, 3].map((passed) => ({ cost: 0.1 * passed, passed }));
    expect(ratioInterval(alike)).toMatchObject({ error: 0, interval: null });
    expect(ratioInterval([{ cost: 4, passed: 0 }])).toBe(null);
    expect(ratioInterval([{ cost: 4, passed: 2 }])).toEqual({
      ratio: 2,
      error: null,
      df: 0,
      interval: null,
      method: 'delta',
    });
  });

  test('scales with the price and holds the ratio', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ cost: fc.integer({ min: 0, max: 1000 }), passed: fc.integer({ min: 0, max: 8 }) }), {
          minLength: 2,
          maxLength: 12,
        }),
        (list) => {
          const one = ratioInterval(list);
          fc.pre(one !== null);
          const ten = ratioInterval(list.map(({ cost, passed }) => ({ cost: 10 * cost, passed })));
          expect(ten?.ratio).toBeCloseTo(10 * (one?.ratio ?? 0), 8);
          const [low, high] = one?.interval ?? [0, 0];
          expect(low <= (one?.ratio ?? 0) + 1e-9 && (high === null || (one?.ratio ?? 0) <= high + 1e-9)).toBe(true);
        },
      ),
    );
  });
});
