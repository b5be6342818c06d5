import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import {
  exactJsonText,
  jsonPieces,
  markIntegers,
  parseJson,
  readExactJson,
  unmarkIntegers,
  writeJson,
} from '../../src/values/exact-json.ts';
import { jsonText } from '../../src/values/json-text.ts';

/** Also texts that look like marks, and keys that do. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\u00001',
    '\u0000\u0000',
    '\u000012345678901234567890',
    '1234567890123456789',
    '"',
    '\\u0000',
    '\\',
  ),
);
const large = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  fc.bigInt({ min: 10n ** 40n, max: 10n ** 60n }),
);
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    // A double that is whole and large is written as its digits, which then are an integer.
    fc
      .double({ noNaN: true, noDefaultInfinity: true, max: 2 ** 52, min: -(2 ** 52) })
      .filter((number) => !Object.is(number, -0)),
    fc.maxSafeInteger(),
    large,
    text,
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
})).value;

test('a JSON text is read as it was written, large integers included', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(parseJson(jsonText(value))).toEqual(value);
      expect(parseJson(writeJson(value))).toEqual(value);
      expect(readExactJson(exactJsonText(value))).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test('marked text is JSON that doubles hold, and unmarking gives the text back', () => {
  fc.assert(
    fc.property(values, (value) => {
      const written = writeJson(value);
      const marked = markIntegers(written);
      expect(unmarkIntegers(marked)).toBe(written);
      expect(unmarkIntegers(JSON.stringify(JSON.parse(marked)))).toBe(written);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_992n],
  ['-9007199254740992', -9_007_199_254_740_992n],
  [
    '{"id": 1234567890123456789, "text": "1234567890123456789"}',
    { id: 1_234_567_890_123_456_789n, text: '1234567890123456789' },
  ],
  [
    '[12345678901234567890.0, 1e18, 0.1234567890123456789]',
    [12_345_678_901_234_567_000, 1e18, 0.123_456_789_012_345_68],
  ],
  ['{"1234567890123456789": 1}', { '1234567890123456789': 1 }],
])('%s is read exactly', (written, value) => {
  expect(parseJson(written)).toEqual(value);
});

test('what JSON.parse refuses is refused', () => {
  for (const written of ['', '1234567890123456789,', '01234567890123456789', '{1234567890123456789: 1}']) {
    expect(() => parseJson(written)).toThrow(SyntaxError);
  }
});

test('JSON in pieces is the JSON in one text, and no piece is deeper than the parts of a list', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect([...jsonPieces(value)].join('')).toBe(writeJson(value, 2));
    }),
    { numRuns: 500 },
  );
  const events = Array.from({ length: 1000 }, (_, at) => ({ at, gap: undefined }));
  const pieces = [...jsonPieces({ trace: { events }, none: undefined })];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60);
  expect(pieces.join('')).toBe(JSON.stringify({ trace: { events } }, null, 2));
});
