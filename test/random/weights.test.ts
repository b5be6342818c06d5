import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexByWeight, weightThresholds } from '../../src/random/weights.ts';

const weights = fc.array(fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 1e-6, max: 1e6, noNaN: true })), {
  minLength: 1,
  maxLength: 20,
});

test('thresholds rise to 2^32, each within half a step of the exact share', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const total = list.reduce((sum, weight) => sum + weight, 0);
      const thresholds = weightThresholds(list);
      let sum = 0;
      let last = 0;
      for (const [index, threshold] of thresholds.entries()) {
        sum += list[index] ?? 0;
        expect(Number.isInteger(threshold) && threshold >= last).toBe(true);
        expect(Math.abs(threshold - (sum / total) * 2 ** 32)).toBeLessThanOrEqual(0.5 + 1e-3);
        last = threshold;
      }
      expect(last).toBe(2 ** 32);
    }),
  );
});

test('a draw picks the variant whose interval it lies in', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (list, drawn) => {
      const thresholds = weightThresholds(list);
      const index = indexByWeight(thresholds, drawn);
      expect(drawn).toBeLessThan(thresholds[index] ?? 0);
      expect(drawn).toBeGreaterThanOrEqual(index === 0 ? 0 : (thresholds[index - 1] ?? 0));
    }),
  );
});

test('frozen: thresholds of some weights', () => {
  expect([
    weightThresholds([1]),
    weightThresholds([1, 1]),
    weightThresholds([1, 2, 7]),
    weightThresholds([0.1, 0.2]),
  ]).toEqual([[4294967296], [2147483648, 4294967296], [429496730, 1288490189, 4294967296], [1431655765, 4294967296]]);
});
