import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookup, positions } from '../../src/values/lookup.ts';

/** Few and many, so that rows and maps are both put to it; often the same ones. */
const someKeys = fc.array(fc.option(fc.integer({ min: 0, max: 30 }).map(String), { nil: undefined }), {
  maxLength: 40,
});
const asked = [undefined, ...Array.from({ length: 32 }, (_, at) => String(at))];

test('a lookup finds what a map of the same pairs finds', () => {
  fc.assert(
    fc.property(someKeys, (keys) => {
      const values = keys.map((key, at) => `${key} at ${at}`);
      const map = new Map(keys.map((key, at) => [key, values[at]]));
      const found = lookup(keys, values);
      expect(asked.map((key) => found.get(key))).toEqual(asked.map((key) => map.get(key)));
    }),
  );
});

test('positions are those of a map from key to position', () => {
  fc.assert(
    fc.property(someKeys, (keys) => {
      const map = new Map(keys.map((key, at) => [key, at]));
      const found = positions(keys);
      expect(asked.map((key) => found.get(key))).toEqual(asked.map((key) => map.get(key)));
    }),
  );
});
