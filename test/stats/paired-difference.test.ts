import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedDifferenceInterval } from '../../src/stats/paired-difference.ts';
import { decimals } from './relative-error.ts';

test('[H4] reversed: 13 lost and 4 gained of 114, one added to each', () => {
  // −9/116 ± 1.959964·√((14/116 + 5/116 − (9/116)²)/116).
  expect(decimals(pairedDifferenceInterval(13, 4, 114) ?? [], 6)).toEqual(['-0.149869', '-0.005303']);
});

test('it has a width also where no pair disagrees, and there is none without pairs', () => {
  const [low = 0, high = 0] = pairedDifferenceInterval(0, 0, 8) ?? [];
  expect(low).toBeLessThan(0);
  expect(high).toBe(-low);
  expect(pairedDifferenceInterval(0, 0, 0)).toBe(null);
});

test('law: it mirrors when the runs change places, and stays within [−1, 1]', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), (lost, gained, same) => {
      fc.pre(lost + gained + same > 0);
      const pairs = lost + gained + same;
      const [low = 2, high = -2] = pairedDifferenceInterval(lost, gained, pairs) ?? [];
      const [back = 2, forth = -2] = pairedDifferenceInterval(gained, lost, pairs) ?? [];
      expect([back, forth]).toEqual([expect.closeTo(-high, 12), expect.closeTo(-low, 12)]);
      expect(low >= -1 && low < high && high <= 1).toBe(true);
    }),
  );
});

test.each([
  [20, 0.05, 0.05],
  [20, 0.2, 0.05],
  [50, 0.1, 0.1],
  [50, 0.3, 0.02],
])(
  'of %i pairs, with chances %f to lose and %f to gain, it covers at least 93 %% (all outcomes summed)',
  (pairs, down, up) => {
    let covered = 0;
    for (let lost = 0; lost <= pairs; lost++) {
      for (let gained = 0; lost + gained <= pairs; gained++) {
        const [low = 2, high = -2] = pairedDifferenceInterval(lost, gained, pairs) ?? [];
        if (low > up - down || high < up - down) continue;
        const same = pairs - lost - gained;
        const ways = logFactorial(pairs) - logFactorial(lost) - logFactorial(gained) - logFactorial(same);
        covered += Math.exp(ways + lost * Math.log(down) + gained * Math.log(up) + same * Math.log(1 - down - up));
      }
    }
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(1);
  },
);

function logFactorial(n: number): number {
  let sum = 0;
  for (let i = 2; i <= n; i++) sum += Math.log(i);
  return sum;
}
