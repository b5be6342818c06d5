import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialAtLeast, binomialAtMost, binomialBetween, logBinomialChance } from '../../src/stats/binomial.ts';
import { normalTail, normalTwoSided } from '../../src/stats/normal-tail.ts';
import { normalQuantile } from '../../src/stats/normal-quantile.ts';
import { stirlingRemainder } from '../../src/stats/stirling-remainder.ts';
import { studentQuantile, studentTail, studentTwoSided } from '../../src/stats/student-t.ts';
import { relativeError } from './relative-error.ts';

const rates = fc.double({ min: 0, max: 1, noNaN: true });
const anyTrials = fc.double({ min: 0, max: 9, noNaN: true }).map((magnitude) => Math.round(10 ** magnitude));

describe('the binomial distribution', () => {
  // 40 digits of mpmath at the double nearest to each rate, rounded.
  test.each([
    [19, 20, 0.9, 0.39174699812516783],
    [19, 20, 0.95, 0.7358395249438495],
    [950, 1000, 0.93, 0.005929633320516941],
    [950, 1000, 0.9, 5.995167632379695e-9],
    [950, 1000, 0.95, 0.5375290408014252],
    [950_000, 1e6, 0.949, 2.598106657863008e-6],
    [950_000_000, 1e9, 0.95, 0.5000376250067807],
    [950_000_000, 1e9, 0.94995, 2.0475763832868505e-13],
    [950_000_000, 1e9, 0.95005, 0.9999999999998024],
    [3, 1e9, 1e-9, 0.08030139697942434],
    [1, 1e9, 1e-9, 0.6321205590124974],
    [999_999_990, 1e9, 0.99999998, 0.010811718306251016],
  ])('at least %d of %d at rate %d have chance %d', (least, trials, rate, exact) => {
    expect(relativeError(binomialAtLeast(trials, rate, least), exact)).toBeLessThan(trials > 1e6 ? 1e-11 : 1e-12);
  });

  test.each([
    [20, 0.9, 18, 0.28517980706429835],
    [1000, 0.93, 950, 0.0019481187551906637],
    [1e9, 0.5, 5e8, 2.5231325213893768e-5],
    [1e9, 1e-9, 2, 0.18393972067769104],
    [1e9, 0.95, 949_990_000, 2.0202211086817334e-5],
  ])('of %d trials at rate %d exactly %d pass with chance %d', (trials, rate, passed, exact) => {
    expect(relativeError(Math.exp(logBinomialChance(trials, rate, passed)), exact)).toBeLessThan(2e-12);
  });

  test('tails add up to 1, fall with the count and rise with the rate, at any size', () => {
    fc.assert(
      fc.property(anyTrials, rates, rates, rates, (trials, share, one, other) => {
        const least = Math.round(trials * share);
        const [low, high] = one < other ? [one, other] : [other, one];
        expect(binomialAtLeast(trials, low, least) + binomialAtMost(trials, low, least - 1)).toBeCloseTo(1, 11);
        expect(binomialAtLeast(trials, low, least + 1)).toBeLessThanOrEqual(
          binomialAtLeast(trials, low, least) + 1e-12,
        );
        expect(binomialAtLeast(trials, low, least)).toBeLessThanOrEqual(binomialAtLeast(trials, high, least) + 1e-11);
      }),
      { numRuns: 300 },
    );
  });

  test('a range has the chance of its members', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), rates, rates, rates, (trials, rate, one, other) => {
        const [low, high] = [Math.round(one * trials), Math.round(other * trials)];
        let sum = 0;
        for (let passed = low; passed <= high; passed++) sum += Math.exp(logBinomialChance(trials, rate, passed));
        expect(binomialBetween(trials, rate, low, high)).toBeCloseTo(sum, 11);
      }),
    );
  });

  test('certain rates and empty plans have certain answers', () => {
    expect([
      binomialAtLeast(5, 0, 1),
      binomialAtLeast(5, 1, 5),
      binomialAtMost(5, 0, 0),
      binomialAtMost(5, 1, 4),
    ]).toEqual([0, 1, 1, 0]);
    expect([binomialAtLeast(0, 0.3, 0), binomialBetween(5, 0.3, 3, 2), Math.exp(logBinomialChance(0, 0.3, 0))]).toEqual(
      [1, 0, 1],
    );
    expect([logBinomialChance(3, 0, 1), logBinomialChance(3, 1, 1), logBinomialChance(3, 1, 3)]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      0,
    ]);
    expect(() => binomialAtLeast(3, 1.5, 1)).toThrow('A rate of 1.5 is impossible: give a number from 0 to 1.');
  });
});

describe('the normal distribution', () => {
  // 40 digits of mpmath, rounded.
  test.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145705],
    [1.96, 0.024997895148220435],
    [2, 0.02275013194817921],
    [2.5, 0.006209665325776135],
    [3, 0.0013498980316300946],
    [5, 2.866515718791939e-7],
    [8, 6.220960574271784e-16],
    [20, 2.7536241186062337e-89],
    [37, 5.725571222524577e-300],
  ])('exceeds %d with chance %d', (z, exact) => {
    expect(relativeError(normalTail(z), exact)).toBeLessThan(5e-14);
  });

  test('tail and quantile undo each other', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.999, noNaN: true }), (p) => {
        expect(relativeError(normalTail(-normalQuantile(p)), p)).toBeLessThan(1e-12);
      }),
    );
    expect([normalTwoSided(0), normalTwoSided(-3)]).toEqual([1, 2 * normalTail(3)]);
  });
});

describe("Student's t", () => {
  // 40 digits of mpmath, rounded.
  test.each([
    [1.5, 1, 0.37433408362199766],
    [0.1, 1, 0.9365489651388929],
    [1, 2, 0.4226497308103742],
    [2, 4, 0.11611652351681559],
    [12, 3, 0.0012450158007893367],
    [-0.444, 49, 0.6589972413335955],
    [40, 10, 2.2808577430857547e-12],
    [30, 200, 5.724161208827852e-76],
    [0.5, 1e6, 0.6170751874723713],
    [2, 1e6, 0.045500533851319205],
    [6, 1e9, 1.9731759644984917e-9],
  ])('|T| reaches %d with %d degrees of freedom by chance %d', (t, df, exact) => {
    expect(relativeError(studentTwoSided(t, df), exact)).toBeLessThan(1e-12);
  });

  // 40 digits of mpmath, rounded.
  test.each([
    [1, 12.706204736174705],
    [2, 4.302652729749464],
    [4, 2.7764451051977943],
    [49, 2.0095752371292397],
  ])('with %d degrees of freedom half of a 95 %% interval is %d errors wide', (df, exact) => {
    expect(relativeError(studentQuantile(0.95, df), exact)).toBeLessThan(1e-13);
  });

  test('tail and quantile undo each other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 1e-6, max: 0.999999, noNaN: true }),
        (df, confidence) => {
          expect(studentTwoSided(studentQuantile(confidence, df), df)).toBeCloseTo(1 - confidence, 11);
        },
      ),
      { numRuns: 300 },
    );
    expect([studentTwoSided(0, 3), studentTail(0, 3), studentTail(Number.NEGATIVE_INFINITY, 3)]).toEqual([1, 0.5, 1]);
    expect(() => studentTwoSided(1, 0)).toThrow(
      "Student's t with 0 degrees of freedom is impossible: give a number from 1.",
    );
  });
});

test("what Stirling's formula leaves out is known at halves and beyond, as at whole numbers", () => {
  // 40 digits of mpmath, rounded.
  expect(Math.abs(stirlingRemainder(0.5) - 0.15342640972002736)).toBeLessThan(2e-15);
  expect(Math.abs(stirlingRemainder(7.5) - 0.011104559758206917)).toBeLessThan(2e-15);
  expect(relativeError(stirlingRemainder(16.5), 0.005049887331583002)).toBeLessThan(1e-14);
});
