import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffJson } from '../../src/engine/diff-json.ts';
import type { Json } from '../../src/types/json.ts';
import { deepEqual } from '../../src/values/deep-equal.ts';

const anyJson = fc.jsonValue() as fc.Arbitrary<Json>;

test('tells what was added, removed and changed, by path', () => {
  const left = { a: 1, b: [1, { c: 2 }], d: 'x', gone: { deep: true } };
  const right = { a: 1, b: [1, { c: 3 }, 4], d: 1, h: 0 };
  expect(diffJson(left, right)).toEqual({
    added: { 'b[2]': 4, h: 0 },
    removed: { gone: { deep: true } },
    changed: { 'b[1].c': { from: 2, to: 3 }, d: { from: 'x', to: 1 } },
    unchanged: false,
  });
});

test('a change of the whole value stands under $, elements of a top-level array under their index', () => {
  expect(diffJson('1', 1)).toEqual({ added: {}, removed: {}, changed: { $: { from: '1', to: 1 } }, unchanged: false });
  expect(diffJson([], {})).toEqual({ added: {}, removed: {}, changed: { $: { from: [], to: {} } }, unchanged: false });
  expect(diffJson([0, 1, 2], [0, 5])).toEqual({
    added: {},
    removed: { '[2]': 2 },
    changed: { '[1]': { from: 1, to: 5 } },
    unchanged: false,
  });
});

test('a key named __proto__ is an entry like any other', () => {
  const diff = diffJson({}, JSON.parse('{"__proto__":1}') as Json);
  expect(Object.entries(diff?.added ?? {})).toEqual([['__proto__', 1]]);
});

test('values nested without limit are compared', () => {
  const nest = (core: Json): Json => {
    let value = core;
    for (let i = 0; i < 20_000; i++) value = [value];
    return value;
  };
  expect(Object.values(diffJson(nest(1), nest(2))?.changed ?? {})).toEqual([{ from: 1, to: 2 }]);
  expect(diffJson(nest(1), nest(1))?.unchanged).toBe(true);
});

test('differences with endless paths are given up', () => {
  const long = 'k'.repeat(100_000);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${i}`, i]));
  expect(diffJson({ [long]: {} }, { [long]: many })).toBeNull();
});

test('unchanged exactly when both are equal', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (left, right) => {
      expect(diffJson(left, right)?.unchanged).toBe(deepEqual(left, right));
      expect(diffJson(left, structuredClone(left))?.unchanged).toBe(true);
    }),
  );
});

test('swapping the sides swaps what was added and removed', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (left, right) => {
      const there = diffJson(left, right);
      const back = diffJson(right, left);
      expect([there?.added, there?.removed]).toEqual([back?.removed, back?.added]);
    }),
  );
});
