import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spacedJson } from '../../src/report/spaced-json.ts';
import type { Json } from '../../src/types/json.ts';

test('there is a blank after each comma and colon, and none inside brackets', () => {
  expect(spacedJson({ a: [1, { b: 'x\n ]' }, []], c: {} })).toBe('{"a": [1, {"b": "x\\n ]"}, []], "c": {}}');
});

test('it is the same value again when parsed, and one line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = spacedJson(value as Json);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      expect(text).not.toContain('\n');
    }),
  );
});
