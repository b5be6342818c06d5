import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characters, isPlain } from '../../src/text/characters.ts';
import { characterWidth, displayWidth, takeWidth } from '../../src/text/display-width.ts';

/** What makes a unit plain: alone it is one character, and one column wide. */
const MARK_OR_EMOJI =
  /[\p{Mn}\p{Me}\p{Mc}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Emoji_Presentation}\p{Extended_Pictographic}]/u;
/** What `plainText` looks for in a text that is not plain. */
const UNSAFE_OR_MARK = /[\p{M}\p{C}\p{Zl}\p{Zp}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
const plain = units.filter(isPlain);

test('what passes as plain has no mark, control, emoji or surrogate among it, and there is something that does', () => {
  // These two are pictures only when a variation selector follows, which is not plain.
  const pictures = new Set(['©', '®', '↔', '↕', '↖', '↗', '↘', '↙', '↩', '↪']);
  expect(plain.filter((unit) => MARK_OR_EMOJI.test(unit) && !pictures.has(unit))).toEqual([]);
  expect(plain.filter((unit) => UNSAFE_OR_MARK.test(unit))).toEqual([]);
  expect(plain.length).toBeGreaterThan(700);
  expect(isPlain('✓ 12 passed · 3 failed — 80 %…')).toBe(true);
  expect(isPlain('e\u0301')).toBe(false);
});

test('plain texts fall into the characters that a segmenter finds, lines included', () => {
  const text = fc.array(fc.constantFrom(...plain, '\n'), { maxLength: 60 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (sample) => {
      expect([...characters(sample)]).toEqual([...segmenter.segment(sample)].map(({ segment }) => segment));
    }),
  );
});

test('a plain text is as wide as it is beside a character that is not plain', () => {
  const text = fc.array(fc.constantFrom(...plain), { maxLength: 60 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (sample) => {
      // The wide character sends the whole text the long way.
      expect(displayWidth(`${sample}漢`)).toBe(displayWidth(sample) + 2);
    }),
  );
});

test('as many whole characters are taken as fit, whatever follows them', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'é', '…', '漢', '\u0301', '\u200d', '\ufe0f', '😀', '\n'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: -1, max: 14 }), (parts, width) => {
      let expected = '';
      let taken = 0;
      for (const { segment } of segmenter.segment(parts.join(''))) {
        taken += characterWidth(segment);
        if (taken > width) break;
        expected += segment;
      }
      expect(takeWidth(parts.join(''), width)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['漢字', 4],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['©\ufe0f', 2],
  ['soft\u00adhyphen', 10],
  ['a\tb', 2],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});
