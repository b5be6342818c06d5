import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import { deepEqual, writtenAlike } from '../../src/values/deep-equal.ts';
import { byCodePoint, jsonText } from '../../src/values/json-text.ts';
import { arrayIndex, selectPath } from '../../src/values/select-path.ts';

const anyJson = fc.jsonValue() as fc.Arbitrary<Json>;

function nest(depth: number, core: Json): Json {
  let value = core;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { in: value };
  return value;
}

function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const turned: [string, Json][] = Object.entries(value).map(([key, inner]) => [key, shuffled(inner as Json)]);
  return Object.fromEntries(turned.reverse());
}

test('a path leads through objects and arrays, skips empty segments and gives the whole value when empty', () => {
  const value = { a: [{ b: 1 }, { b: null }], '': 'unreachable', n: 0 } as const;
  const paths = [
    '',
    '.',
    'a.0.b',
    'a..0.b.',
    'a.+1.b',
    'a.01.b',
    'a.2',
    'a.-1',
    'a. 1',
    'a.+',
    'n.x',
    'a.length',
    'constructor',
  ];
  expect(Object.fromEntries(paths.map((path) => [path, selectPath(value, path)]))).toEqual({
    '': value,
    '.': value,
    'a.0.b': 1,
    'a..0.b.': 1,
    'a.+1.b': null,
    'a.01.b': null,
    'a.2': undefined,
    'a.-1': undefined,
    'a. 1': undefined,
    'a.+': undefined,
    'n.x': undefined,
    'a.length': undefined,
    constructor: undefined,
  });
});

test('keys of the prototype are found only when the document has them', () => {
  expect(selectPath({}, '__proto__')).toBeUndefined();
  expect(selectPath(JSON.parse('{"__proto__":{"x":1}}'), '__proto__.x')).toBe(1);
});

test('an index beyond any array names nothing', () => {
  expect(arrayIndex('99999999999999999999')).toBe(-1);
});

test('values are written alike where JSON.stringify says so, at any depth', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      for (const other of [b, shuffled(a), JSON.parse(JSON.stringify(a)) as Json]) {
        expect(writtenAlike(a, other)).toBe(JSON.stringify(a) === JSON.stringify(other));
      }
    }),
  );
  expect(writtenAlike({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
});

test('equality ignores key order and agrees with the canonical text', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      expect(deepEqual(a, shuffled(a))).toBe(true);
      expect(deepEqual(a, b)).toBe(jsonText(a) === jsonText(b));
      expect(deepEqual(a, b)).toBe(deepEqual(b, a));
    }),
    {
      examples: [
        [0, -0],
        [[], {}],
        [null, []],
        [{ a: 1 }, { b: 1 }],
        [{ length: 0 }, []],
      ],
    },
  );
});

test('canonical text reads back as the same value', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(deepEqual(JSON.parse(jsonText(value)), value)).toBe(true);
      expect(jsonText(shuffled(value))).toBe(jsonText(value));
    }),
  );
});

test('canonical text sorts keys by the bytes of their UTF-8 form', () => {
  expect(jsonText({ '\u{10000}': 1, '\uffee': 2, b: [true, { z: 'é', a: null }], a: 1.5 })).toBe(
    '{"a":1.5,"b":[true,{"a":null,"z":"é"}],"\uffee":2,"\u{10000}":1}',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

test('values nested 200,000 levels deep are compared and written without overflowing the stack', () => {
  expect(deepEqual(nest(200_000, 1), nest(200_000, 1))).toBe(true);
  expect(deepEqual(nest(200_000, 1), nest(200_000, 2))).toBe(false);
  expect(jsonText(nest(200_000, 1)).length).toBe(1 + 100_000 * (2 + 7));
});
