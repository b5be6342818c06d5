import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedMeanInterval, boundedMeanOfAlike } from '../../src/stats/bounded-mean-interval.ts';

test('law: values that were seen several times have the interval of all of them, in any order', () => {
  const alike = fc.array(fc.record({ value: fc.constantFrom(0, 0.25, 0.5, 0.75, 1), times: fc.nat(40) }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(alike, (seen) => {
      const values = seen.flatMap(({ value, times }) => new Array<number>(times).fill(value));
      const whole = boundedMeanInterval(values);
      const [low, high] = boundedMeanOfAlike(seen.toReversed()) ?? [null, null];
      if (whole === null) expect(low).toBeNull();
      else {
        expect(low).toBeCloseTo(whole[0], 9);
        expect(high).toBeCloseTo(whole[1], 9);
      }
    }),
  );
});

test('a billion trials take no more memory than their different values', () => {
  const [low, high] = boundedMeanOfAlike([
    { value: 1, times: 750_000_000 },
    { value: 0.5, times: 250_000_000 },
  ]) ?? [0, 0];
  expect(low).toBeLessThan(0.875);
  expect(high).toBeGreaterThan(0.875);
  expect(high - low).toBeLessThan(0.0001);
});
