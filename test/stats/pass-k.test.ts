import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK } from '../../src/stats/pass-at-k.ts';
import { listedKs, passHatK } from '../../src/stats/pass-hat-k.ts';
import { processorMs } from '../support/processor-time.ts';

/** trials ≤ 300, 0 ≤ passed ≤ trials, 1 ≤ k ≤ trials. */
const anyCounts = fc
  .integer({ min: 1, max: 300 })
  .chain((trials) =>
    fc.tuple(fc.constant(trials), fc.integer({ min: 0, max: trials }), fc.integer({ min: 1, max: trials })),
  );

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 0; i < k; i++) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return k > n ? 0n : result;
}

/** a / b as a double, exact to 17 digits. */
function quotient(a: bigint, b: bigint): number {
  const scaled = (a * 10n ** 320n) / b;
  return Number(`${scaled}e-320`);
}

function relativeError(got: number | null, exact: number): number {
  if (got === null) return Number.POSITIVE_INFINITY;
  return got === exact ? 0 : Math.abs(got / exact - 1);
}

// Exact rationals rounded to double: spec/release-gate.md, F-01.
test.each([
  [4, 3, 2, 0.5],
  [10, 9, 5, 0.5],
  [10, 9, 10, 0],
  [1000, 990, 8, 0.922482434499136],
  [1e6, 999000, 8, 0.9920279162652184],
  [1e6, 999990, 1000, 0.9900448356128504],
  [1e9, 999999000, 8, 0.999992000027972],
  [1e9, 999999000, 1000, 0.9990004988348729],
  [1e9, 5e8, 30, 9.313221694902347e-10],
])('pass^k of %d trials, %d passed, k = %d is %d', (trials, passed, k, exact) => {
  expect(relativeError(passHatK(trials, passed, k), exact)).toBeLessThan(2e-15);
});

test('pass^k of 1e9 trials takes as many multiplications as k, whatever k is listed', () => {
  const before = processorMs();
  for (let i = 0; i < 1000; i++) passHatK(1e9, 5e8, 64);
  expect(processorMs() - before).toBeLessThan(200);
  // 40 digits of mpmath, rounded.
  expect(relativeError(passHatK(1e9, 999_999_000, 64), 0.9999360020139425)).toBeLessThan(2e-15);
  expect(relativeError(passHatK(4e9, 4e9 - 1_200_000, 1_100_000), 4.3813048430364115e-144)).toBeLessThan(1e-12);
  expect(relativeError(passHatK(1e9, 5e8, 64), 5.4209999336799456e-20)).toBeLessThan(1e-14);
  expect(passHatK(1e9, 5e8, 4e8)).toBe(0);
});

test('pass^k equals the ratio of binomial coefficients', () => {
  fc.assert(
    fc.property(anyCounts, ([trials, passed, k]) => {
      const exact = quotient(choose(passed, k), choose(trials, k));
      expect(relativeError(passHatK(trials, passed, k), exact)).toBeLessThan(1e-13);
    }),
  );
});

test('pass@k equals one minus the ratio of binomial coefficients', () => {
  fc.assert(
    fc.property(anyCounts, ([trials, passed, k]) => {
      const all = choose(trials, k);
      const exact = quotient(all - choose(trials - passed, k), all);
      expect(relativeError(passAtK(trials, passed, k), exact)).toBeLessThan(1e-13);
    }),
  );
});

// 40 digits of mpmath, rounded.
test.each([
  [1e9, 1, 1, 1e-9],
  [1e9, 1, 64, 6.4e-8],
  [1e9, 1000, 1000, 0.000999501165127172],
  [200, 7, 10, 0.3055988116177335],
  [10, 1, 3, 0.3],
  [10, 0, 3, 0],
  [10, 8, 3, 1],
])('pass@k of %d trials, %d passed, k = %d is %d', (trials, passed, k, exact) => {
  expect(relativeError(passAtK(trials, passed, k), exact)).toBeLessThan(2e-14);
});

test('pass^k falls and pass@k rises with k, and both are the pass rate at k = 1', () => {
  fc.assert(
    fc.property(anyCounts, ([trials, passed, k]) => {
      expect(passHatK(trials, passed, 1)).toBeCloseTo(passed / trials, 14);
      expect(passAtK(trials, passed, 1)).toBeCloseTo(passed / trials, 14);
      if (k === 1) return;
      expect((passHatK(trials, passed, k) ?? 2) - (passHatK(trials, passed, k - 1) ?? 0)).toBeLessThan(1e-13);
      expect((passAtK(trials, passed, k) ?? -1) - (passAtK(trials, passed, k - 1) ?? 1)).toBeGreaterThan(-1e-13);
    }),
  );
});

test('all trials together pass with chance 1 when every one passed, else 0', () => {
  expect([passHatK(7, 7, 7), passHatK(7, 6, 7)]).toEqual([1, 0]);
});

test('more trials than there are have no answer', () => {
  expect([passHatK(3, 3, 4), passAtK(3, 3, 4), passHatK(0, 0, 1)]).toEqual([null, null, null]);
});

test('impossible counts are refused with what is allowed', () => {
  expect(() => passHatK(3, 4, 1)).toThrow(
    '4 passed of 3 trials is impossible: give whole numbers, 0 ≤ passed ≤ trials.',
  );
  expect(() => passAtK(3, 2, 0)).toThrow('k = 0 is impossible: give a whole number from 1.');
});

test('pass^k is listed for 1 to 64, powers of two and all trials', () => {
  const to64 = Array.from({ length: 64 }, (_, i) => i + 1);
  expect(listedKs(0)).toEqual([]);
  expect(listedKs(3)).toEqual([1, 2, 3]);
  expect(listedKs(64)).toEqual(to64);
  expect(listedKs(65)).toEqual([...to64, 65]);
  expect(listedKs(256)).toEqual([...to64, 128, 256]);
  expect(listedKs(1000)).toEqual([...to64, 128, 256, 512, 1000]);
});
