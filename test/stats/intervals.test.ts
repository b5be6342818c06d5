import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { normalQuantile } from '../../src/stats/normal-quantile.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

type Interval = readonly [number, number];

/** 1 ≤ trials ≤ 1e9 on a logarithmic scale, 0 ≤ passed ≤ trials. */
const anyCounts = fc
  .tuple(fc.double({ min: 0, max: 9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([magnitude, rate]) => {
    const trials = Math.round(10 ** magnitude);
    return [Math.round(trials * rate), trials] as const;
  });

/** The larger relative distance of the two bounds. */
function relativeError(got: Interval | null, exact: Interval): number {
  if (got === null) return Number.POSITIVE_INFINITY;
  return Math.max(...got.map((bound, i) => (bound === exact[i] ? 0 : Math.abs(bound / (exact[i] as number) - 1))));
}

// SciPy and mpmath: spec/release-gate.md, F-02; all printed digits.
test.each<[number, number, Interval, Interval]>([
  [0, 8, [0, 0.32440756488388], [0, 0.369416647552819]],
  [8, 8, [0.67559243511612, 1], [0.630583352447181, 1]],
  [5, 10, [0.236593090512564, 0.763406909487436], [0.187086028447399, 0.812913971552601]],
  [84, 200, [0.353735991616167, 0.489279260604195], [0.350743857791056, 0.49166382512262]],
  [7, 629, [0.00540101853727356, 0.0227916015447638], [0.00448572757510991, 0.0227944273411681]],
  [300, 629, [0.438172976025818, 0.516001960530896], [0.437306971997516, 0.516805415774098]],
  [0, 629, [0, 0.00607017566114066], [0, 0.00584750959142235]],
  // The upper Clopper–Pearson bound from 50 digits of mpmath: SciPy's 5.57163065516694e-6 is off in the 12th digit.
  [1, 1e6, [1.76524576745372e-7, 5.66491180431144e-6], [2.53178076637942e-8, 5.57163065517224e-6]],
  [0, 1e9, [0, 3.84145880593732e-9], [0, 3.68887944731002e-9]],
  [999999000, 1e9, [0.999998936070048, 0.999999060088501], [0.999998936047898, 0.9999990610269535]],
])('%d of %d trials: Wilson %j, Clopper–Pearson %j', (passed, trials, wilson, exact) => {
  expect(relativeError(wilsonInterval(trials, passed), wilson)).toBeLessThan(5e-15);
  expect(relativeError(clopperPearsonInterval(trials, passed), exact)).toBeLessThan(5e-15);
});

// spec/release-gate.md, F-13 ([H6]) and F-16 (worked example), six digits.
test.each([
  [367, 656, '0.521224', '0.596986'],
  [280, 400, '0.653363', '0.742832'],
])('Wilson interval of %d of %d is %s to %s', (passed, trials, low, high) => {
  expect(wilsonInterval(trials, passed)?.map((bound) => bound.toFixed(6))).toEqual([low, high]);
});

// spec/release-gate.md, F-05: without a failure, n trials bound the failure rate below t with one-sided 95 %.
test.each([
  [0.05, 59],
  [0.02, 149],
  [0.01, 299],
  [0.005, 598],
])('a rate of %d is excluded by %d trials without an event and by no fewer', (rate, trials) => {
  expect(clopperPearsonInterval(trials, 0, 0.9)?.[1]).toBeLessThan(rate);
  expect(clopperPearsonInterval(trials - 1, 0, 0.9)?.[1]).toBeGreaterThan(rate);
});

// 30 digits of mpmath, rounded.
test.each([
  [0.5, 0],
  [0.3, -0.5244005127080408],
  [0.07, -1.4757910281791706],
  [0.025, -1.9599639845400543],
  [0.005, -2.575829303548901],
  [0.001, -3.0902323061678136],
  [1e-10, -6.361340902404057],
  [1e-100, -21.273453560965326],
  [0.95, 1.6448536269514722],
])('the normal quantile of %d is %d', (p, z) => {
  expect(Math.abs(normalQuantile(p) - z)).toBeLessThanOrEqual(5e-16 * Math.abs(z));
});

test('Clopper–Pearson bounds leave half of the rest in each tail', () => {
  // Finite binomial sums, for counts where they are quick and exact enough.
  fc.assert(
    fc.property(
      fc
        .integer({ min: 2, max: 60 })
        .chain((trials) => fc.tuple(fc.constant(trials), fc.integer({ min: 1, max: trials - 1 }))),
      fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 0.999999),
      ([trials, passed], confidence) => {
        const [low, high] = clopperPearsonInterval(trials, passed, confidence) as Interval;
        const tail = (1 - confidence) / 2;
        expect(Math.abs(atLeast(passed, trials, low) / tail - 1)).toBeLessThan(1e-10);
        expect(Math.abs(atLeast(trials - passed, trials, 1 - high) / tail - 1)).toBeLessThan(1e-7);
      },
    ),
  );
});

test('both intervals hold the rate, mirror each other and widen with confidence', () => {
  fc.assert(
    fc.property(anyCounts, fc.constantFrom(wilsonInterval, clopperPearsonInterval), ([passed, trials], interval) => {
      const [low, high] = interval(trials, passed) as Interval;
      const rate = passed / trials;
      expect(low >= 0 && low <= rate && rate <= high && high <= 1).toBe(true);
      const [mirroredLow, mirroredHigh] = interval(trials, trials - passed) as Interval;
      expect(
        [1 - mirroredHigh, 1 - mirroredLow].map((bound, i) => Math.abs(bound - ([low, high][i] as number)) < 1e-15),
      ).toEqual([true, true]);
      const [wideLow, wideHigh] = interval(trials, passed, 0.99) as Interval;
      expect(wideLow <= low && wideHigh >= high).toBe(true);
    }),
  );
});

test('no trials have no interval', () => {
  expect([wilsonInterval(0, 0), clopperPearsonInterval(0, 0)]).toEqual([null, null]);
});

test('impossible counts and confidences are refused with what is allowed', () => {
  expect(() => wilsonInterval(3, -1)).toThrow(
    '-1 passed of 3 trials is impossible: give whole numbers, 0 ≤ passed ≤ trials.',
  );
  expect(() => clopperPearsonInterval(3, 1, 95)).toThrow(
    'A confidence of 95 is impossible: give a number between 0 and 1, such as 0.95.',
  );
  expect(() => normalQuantile(1)).toThrow('There is no normal quantile of 1: give a chance between 0 and 1.');
});

/** Chance of at least `count` events in `trials` at `rate`. */
function atLeast(count: number, trials: number, rate: number): number {
  let sum = 0;
  for (let j = trials; j >= count; j--) sum += chanceOf(j, trials, rate);
  return sum;
}

function chanceOf(j: number, trials: number, rate: number): number {
  let chance = 1;
  for (let i = 0; i < j; i++) chance *= ((trials - i) / (j - i)) * rate;
  return chance * (1 - rate) ** (trials - j);
}
