import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameData } from '../../src/values/same-data.ts';

test('data is the same when its text is, key order included', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(value, value),
        value.map((one): [unknown, unknown] => [one, structuredClone(one)]),
      ),
      ([a, b]) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b) && !hidesZero(a) && !hidesZero(b);
        if (!hidesZero(a) && !hidesZero(b)) expect(sameData(a, b)).toBe(isSame);
      },
    ),
  );
});

test.each([
  [0, -0],
  [undefined, null],
  [{}, []],
  [{ a: undefined }, {}],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [[1], [1, 2]],
  ['1', 1],
])('%j is not the same as %j', (a, b) => {
  expect([sameData(a, b), sameData(b, a)]).toEqual([false, false]);
});

/** JSON text does not tell −0 from 0. */
function hidesZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hidesZero);
  return Object.is(value, -0);
}
