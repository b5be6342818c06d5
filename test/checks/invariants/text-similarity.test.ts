import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textSimilarity } from '../../../src/checks/invariants/text-similarity.ts';

const words = fc.array(fc.constantFrom('the', 'rate', 'is', 'Five', 'per cent', '…', '42', 'été', '東京'), {
  maxLength: 12,
});
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  words.map((list) => list.join(' ')),
);

test('a similarity is between 0 and 1, the same both ways, and 1 for equal texts', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const score = textSimilarity(left, right);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(textSimilarity(right, left)).toBe(score);
      expect(textSimilarity(left, left)).toBe(1);
    }),
  );
});

test.each([
  ['Paris is the capital.', 'paris is the CAPITAL', 1],
  ['cafe\u0301 noir', 'caf\u00e9  noir', 1],
  ['one two', 'two one', 0.929],
  ['The rate is 5 per cent today.', 'The rate is 6 per cent today.', 0.875],
  ['The rate is 5 per cent today.', 'Today the rate is 5 per cent.', 0.982],
  ['The flight is booked', 'The flights were booked', 0.6],
  ['I cannot help with that', 'Sure, here you go', 0.025],
  ['abc', 'xyz', 0],
  ['', 'a', 0],
  ['!', '?', 0],
  ['!', '!', 1],
  ['', '', 1],
])('%j and %j are %d alike', (left, right, score) => {
  expect(textSimilarity(left, right)).toBeCloseTo(score, 3);
});

test('what follows the first 65,536 characters is not compared', () => {
  const long = 'word '.repeat(20_000);
  expect(textSimilarity(`${long}this`, `${long}that`)).toBe(1);
});
