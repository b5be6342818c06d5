import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localSlopes, plateauOf, superlinearFrom } from '../../src/stats/ladder.ts';

const on = (rungs: readonly number[], valueOn: (rung: number) => number | null) =>
  rungs.map((rung) => ({ rung, value: valueOn(rung) }));

test('local slopes and threshold of the release gate: 0.5 L + 2e-5 L² grows faster from 2,000 on', () => {
  const rungs = on([1000, 2000, 4000, 8000, 16_000], (length) => 0.5 * length + 2e-5 * length ** 2);
  expect(localSlopes(rungs).map((slope) => slope?.toFixed(3))).toEqual(['1.054', '1.103', '1.186', '1.313']);
  expect(superlinearFrom(rungs)).toBe(2000);
});

test('a planted power is the slope of every step, and one step alone is no threshold', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 3, noNaN: true }), fc.integer({ min: 1, max: 1000 }), (power, first) => {
      const rungs = on([first, 2 * first, 5 * first, 11 * first], (rung) => 3 * rung ** power);
      for (const slope of localSlopes(rungs)) expect(slope).toBeCloseTo(power, 8);
      if (Math.abs(power - 1.1) > 1e-6) expect(superlinearFrom(rungs)).toBe(power > 1.1 ? first : null);
    }),
  );
  const leap = on([1, 2, 4, 8], (rung) => (rung < 4 ? rung : 100 * rung));
  expect(superlinearFrom(leap)).toBeNull();
});

test('the plateau is where a planted capacity is used up, and none where the highest rung is still better', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), (capacity) => {
      const rungs = on(
        Array.from({ length: 32 }, (_, n) => n + 1),
        (rung) => Math.min(rung, capacity),
      );
      const found = plateauOf(rungs) ?? 0;
      expect(Math.abs(found - capacity)).toBeLessThanOrEqual(1);
    }),
  );
  expect(plateauOf(on([1, 2, 4], (rung) => rung))).toBeNull();
});

test('rungs without a value say nothing', () => {
  const rungs = on([1, 2, 4, 8], (rung) => (rung === 2 ? null : rung ** 2));
  expect(localSlopes(rungs)).toEqual([null, null, 2]);
  expect([superlinearFrom(rungs), plateauOf(rungs), localSlopes([])]).toEqual([null, null, []]);
});
