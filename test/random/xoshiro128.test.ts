import { expect, test } from 'vitest';
import { xoshiro128, xoshiro128FromState } from '../../src/random/xoshiro128.ts';

function take(generator: { next(): number }, count: number): readonly number[] {
  return Array.from({ length: count }, () => generator.next());
}

test('gives the published numbers for state 1, 2, 3, 4', () => {
  expect(take(xoshiro128FromState([1, 2, 3, 4]), 5)).toEqual([11520, 0, 5927040, 70819200, 2031721883]);
});

test('frozen: the generators of some seeds', () => {
  expect([0, 1, 0xdeadbeef].map((seed) => take(xoshiro128(seed), 4))).toMatchInlineSnapshot(`
    [
      [
        3733119852,
        4156223338,
        2961993901,
        3978119837,
      ],
      [
        3570913905,
        1410997643,
        3006851789,
        3719658539,
      ],
      [
        2492031006,
        3123325809,
        2262939633,
        3266976481,
      ],
    ]
  `);
});

test('two generators share no state', () => {
  const first = xoshiro128(42);
  const second = xoshiro128(42);
  expect([take(first, 3), take(second, 3)]).toEqual([take(xoshiro128(42), 3), take(xoshiro128(42), 3)]);
});
