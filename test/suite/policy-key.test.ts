import fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyKey } from '../../src/suite/policy-key.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';

/** Few words, so that tables differ in where they stand. */
const word = fc.constantFrom('fs', 'read', ' 4.read');
const list: fc.Arbitrary<Json> = fc.array(word, { maxLength: 3 });
const odd: fc.Arbitrary<Json> = fc.constantFrom<Json>('x', null, 1, [1], { query: 'x' }, [['x']]);
const table = (inner: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> => fc.dictionary(word, inner, { maxKeys: 3 });
const policies = table(
  fc.oneof(
    { arbitrary: table(fc.oneof({ arbitrary: list, weight: 9 }, { arbitrary: odd, weight: 1 })), weight: 9 },
    odd,
  ),
);

test('two policies have one key exactly when they are written alike', () => {
  fc.assert(
    fc.property(fc.array(policies, { minLength: 20, maxLength: 40 }), (tables) => {
      const written = new Map<string, string>();
      for (const one of tables) {
        const key = policyKey(one);
        const text = JSON.stringify(one);
        expect(written.get(key) ?? text).toBe(text);
        written.set(key, text);
        expect(policyKey(JSON.parse(text) as JsonObject)).toBe(key);
      }
    }),
    { numRuns: 400 },
  );
});
