import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asciiText } from '../../src/report/ascii-text.ts';
import { characters } from '../../src/text/characters.ts';
import { displayWidth, padEnd, shorten } from '../../src/text/display-width.ts';
import { plainName, plainText } from '../../src/report/plain-text.ts';
import { hangText, joinParts, wrapText } from '../../src/report/text/wrap-text.ts';
import { processorMs } from '../support/processor-time.ts';

const anyText = fc.string({ unit: 'binary' });

describe('plain text', () => {
  test('leaves text that people write alone', () => {
    const texts = ['Ångström, Ελλάδα, עברית, 中文, 👩‍👩‍👧 ❤️', 'a\u0301 e\u0302\u0323', ''];
    expect(texts.map((text) => plainText(text))).toEqual(texts);
  });

  test('shows control, direction and invisible characters as escapes', () => {
    expect(plainText('\u001b[31mred\u001b[0m\r\n\tx\u009b2J\u202etxt.exe\u2066a\u200bb\u0000\ud800')).toBe(
      '\\u{1b}[31mred\\u{1b}[0m\\r\\n\\tx\\u{9b}2J\\u{202e}txt.exe\\u{2066}a\\u{200b}b\\u{0}\\u{d800}',
    );
  });

  test('shows the size of data URIs instead of their data', () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(20)}==`;
    expect(plainText(`see ${image} there`)).toBe('see data:image/png;base64,…165 bytes there');
    expect(plainText('data:text/plain,short')).toBe('data:text/plain,short');
  });

  test('drops marks piled on one letter', () => {
    expect(plainText(`z${'\u0335'.repeat(500)}o`)).toBe(`z${'\u0335'.repeat(4)}o`);
  });

  test('shortens to the width it is given', () => {
    expect([plainText('abcdef', 4), plainText('中文中文', 5), plainText('abc', 3)]).toEqual(['abc…', '中文…', 'abc']);
  });

  test('never holds a character that could act on a terminal, and never is wider than asked', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 30 }), (text, max) => {
        const plain = plainText(text, max);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the promise
        expect(plain).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        expect(displayWidth(plain)).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('takes time in proportion to a hostile text, not to its square', () => {
    const started = processorMs();
    plainText('data:a/'.repeat(200_000), 80);
    plainText(`data:${';a'.repeat(500_000)}`, 80);
    plainText('\u0301'.repeat(1_000_000), 80);
    displayWidth('答え '.repeat(350_000));
    expect(processorMs() - started).toBeLessThan(20_000);
  });
});

describe('width', () => {
  test('counts columns as terminals do', () => {
    const widths = ['abc', '中文', 'e\u0301', '👩‍👩‍👧', '❤️', 'ｱ', '한글', '✓', '🇩🇪'].map(displayWidth);
    expect(widths).toEqual([3, 4, 1, 2, 2, 1, 4, 1, 2]);
  });

  test('pads to columns and cuts between characters', () => {
    expect([padEnd('中', 4), shorten('👩‍👩‍👧👩‍👩‍👧', 3), shorten('中文', 0)]).toEqual(['中  ', '👩‍👩‍👧…', '']);
  });
});

test('characters of long texts are the same as those of the text in one piece', () => {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const piece = fc.constantFrom('a', '👩‍👩‍👧', '🇩🇪', '🇩', 'e\u0301', '한', '\u200d', '\ud83d', ' ');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 300, maxLength: 600 }), (pieces) => {
      const text = pieces.join('');
      expect([...characters(text)]).toEqual(Array.from(graphemes.segment(text), ({ segment }) => segment));
    }),
    { numRuns: 20 },
  );
});

describe('wrapping', () => {
  test('breaks at blanks, and inside a word that is wider than a line', () => {
    expect(wrapText('one two three abcdefghijkl', 8)).toEqual(['one two', 'three', 'abcdefgh', 'ijkl']);
  });

  test('hangs following lines under the first', () => {
    expect(hangText('got  ', 'one two', 9)).toEqual(['got  one', '     two']);
  });

  test('keeps the parts of a joined line whole', () => {
    expect(wrapText(joinParts(['5 passed', '1 did not load']), 18)).toEqual(['5 passed ·', '1 did not load']);
  });

  test('loses nothing but blanks and is never wider than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (raw, width) => {
        const text = plainText(raw).replaceAll('\u00a0', '');
        const lines = wrapText(text, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('ASCII text has the width of what it stands for', () => {
  expect(asciiText('✓ pass · a → b … 中 é\n')).toBe('+ pass - a > b ~ ?? ?\n');
});

test('a long name is shown with both ends, because names of cases differ at their end', () => {
  const file = 'a file with a long name '.repeat(9);
  const names = ['first', 'second'].map((name) => plainName(`${file}: ${name}`, 40));
  expect(names).toEqual(['a file with a long n…a long name : first', 'a file with a long n… long name : second']);
  expect(plainName('short', 40)).toBe('short');
  expect(plainName(`${'x'.repeat(1 << 20)}\u001b end`, 20)).toBe('xxxxxxxxxx…u{1b} end');
});
