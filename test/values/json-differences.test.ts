import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import { deepEqual } from '../../src/values/deep-equal.ts';
import { jsonDifferences } from '../../src/values/json-differences.ts';

test('each place at which two values differ is named, in the order of the wanted one', () => {
  const got = { a: 1, list: [1, 2, 3], extra: true, same: { x: [] } };
  const wanted = { list: [1, 3], a: 2, missing: null, same: { x: [] } };
  expect(jsonDifferences(got, wanted, 10)).toEqual([
    { at: ['list', '1'], got: 2, wanted: 3 },
    { at: ['list', '2'], got: 3, wanted: undefined },
    { at: ['a'], got: 1, wanted: 2 },
    { at: ['missing'], got: undefined, wanted: null },
    { at: ['extra'], got: true, wanted: undefined },
  ]);
  expect(jsonDifferences(got, wanted, 2)).toHaveLength(2);
});

test('law: values differ nowhere exactly where they are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(jsonDifferences(a as Json, a as Json, 5)).toEqual([]);
      expect(jsonDifferences(a as Json, b as Json, 5).length === 0).toBe(deepEqual(a as Json, b as Json));
    }),
  );
});
