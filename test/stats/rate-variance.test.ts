import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rateVariance, trialVariance } from '../../src/stats/rate-variance.ts';

const alike = fc.integer({ min: 2, max: 9 }).chain((trials) =>
  fc.record({
    trials: fc.constant(trials),
    passed: fc.integer({ min: 0, max: trials }),
    scenarios: fc.integer({ min: 0, max: 5 }),
  }),
);

describe('the variance of pass rates', () => {
  test('of a balanced design is that of a one-way analysis of variance', () => {
    // Searle, Casella and McCulloch 1992, section 3.5: σ² = MSW, ω² = (MSB − MSW)/n, from the single results.
    const results = [
      [1, 1, 1, 0],
      [0, 0, 0, 0],
      [1, 0, 1, 0],
      [1, 1, 1, 1],
      [0, 1, 0, 0],
    ];
    const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
    const squares = (values: readonly number[], around: number): number =>
      values.reduce((sum, one) => sum + (one - around) ** 2, 0);
    const within = results.reduce((sum, row) => sum + squares(row, mean(row)), 0) / (5 * 3);
    const between = (4 * squares(results.map(mean), mean(results.flat()))) / 4;
    const split = rateVariance(results.map((row) => ({ trials: 4, passed: row.filter(Boolean).length })));
    expect(split?.luck).toBeCloseTo(within, 14);
    expect(split?.scenarios).toBeCloseTo((between - within) / 4, 14);
    expect(split?.luckShare).toBeCloseTo(within / between, 14);
  });

  test('has no part that is negative, its parts are its whole, and alike scenarios may be told together', () => {
    fc.assert(
      fc.property(fc.array(alike, { minLength: 1, maxLength: 6 }), (told) => {
        const apart = told.flatMap(({ trials, passed, scenarios }) =>
          Array.from({ length: scenarios }, () => ({ trials, passed })),
        );
        const [together, one] = [rateVariance(told), rateVariance(apart)];
        expect([together === null, one === null]).toEqual([apart.length < 2, apart.length < 2]);
        if (together === null || one === null) return;
        expect(together.scenarios).toBeCloseTo(one.scenarios, 12);
        expect(together.luck).toBeCloseTo(one.luck, 12);
        const rates = apart.map(({ trials, passed }) => passed / trials);
        const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
        const total = rates.reduce((sum, rate) => sum + (rate - average) ** 2, 0) / (rates.length - 1);
        const byLuck = apart.reduce((sum, each) => sum + trialVariance(each) / each.trials, 0) / apart.length;
        expect(together.scenarios).toBeGreaterThanOrEqual(0);
        expect(together.scenarios + byLuck).toBeCloseTo(Math.max(total, byLuck), 12);
        if (together.luckShare !== null) expect(together.luckShare).toBeCloseTo(Math.min(1, byLuck / total), 9);
      }),
    );
  });

  test('is not split where a scenario has a single trial, and equal rates have no share of luck', () => {
    expect(
      rateVariance([
        { trials: 2, passed: 1 },
        { trials: 1, passed: 1 },
      ]),
    ).toBe(null);
    expect(rateVariance([{ trials: 2, passed: 1 }])).toBe(null);
    expect(rateVariance([{ trials: 2, passed: 1, scenarios: 3 }])).toEqual({
      scenarios: 0,
      luck: 0.5,
      luckShare: null,
    });
  });
});
