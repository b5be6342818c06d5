import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldWord } from '../../../src/faithfulness/facts/lexemes.ts';

test.each([
  ['JANUARY', 'january'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['Straße', 'strasse'],
  ['Ärger', 'arger'],
  ['\u212A', 'k'],
])('%s is compared as %s', (word, folded) => {
  expect(foldWord(word)).toBe(folded);
});

test('words of ASCII are folded as they are beside others', () => {
  const ascii = fc.string({ unit: 'binary-ascii' });
  fc.assert(
    fc.property(ascii, (word) => {
      expect(`${foldWord(word)}e`).toBe(foldWord(`${word}É`));
    }),
  );
});
