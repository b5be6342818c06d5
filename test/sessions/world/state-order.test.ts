import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutAnyOrder, withoutOrder } from '../../../src/sessions/world/state-order.ts';
import type { Json } from '../../../src/types/json.ts';

test('lists at the named places have one order, and no others', () => {
  const state = { a: [2, 1], b: { x: { c: [2, 1] }, y: { c: ['b', 'a'] } }, d: [3, 1] };
  expect(withoutOrder(state, [['a'], ['b', '*', 'c'], ['absent'], ['d', 'deeper']])).toEqual({
    a: [1, 2],
    b: { x: { c: [1, 2] }, y: { c: ['a', 'b'] } },
    d: [3, 1],
  });
});

test('law: two orders of one list are the same without order', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat(), { minLength: 1 }), (list, keys) => {
      const shuffled = list
        .map((entry, at) => [keys[at % keys.length] ?? 0, entry] as const)
        .sort(([a], [b]) => a - b)
        .map(([, entry]) => entry);
      expect(withoutOrder({ list: shuffled as Json }, [['list']])).toEqual(
        withoutOrder({ list: list as Json }, [['list']]),
      );
      expect(withoutAnyOrder(shuffled as Json)).toEqual(withoutAnyOrder(list as Json));
    }),
  );
});
