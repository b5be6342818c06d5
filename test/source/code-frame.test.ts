import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeFrame } from '../../src/source/code-frame.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { processorMs } from '../support/processor-time.ts';

function frame(text: string, line: number, column: number, endColumn?: number): readonly string[] {
  return codeFrame(text, line, column, endColumn).split('\n');
}

test('shows a line before and after, and marks the place', () => {
  expect(frame('a\nb\nname = 12\nd\ne\n', 3, 8, 10)).toEqual(['2 | b', '3 | name = 12', '  |        ^~', '4 | d']);
});

test('shows the first, the only and the last line', () => {
  expect(frame('a = 1', 1, 1)).toEqual(['1 | a = 1', '  | ^']);
  expect(frame('a\nb\n', 1, 1)).toEqual(['1 | a', '  | ^', '2 | b']);
  expect(frame('a\nb\n', 2, 1)).toEqual(['1 | a', '2 | b', '  | ^']);
  expect(frame('a\nb\n', 3, 1)).toEqual(['2 | b', '3 |', '  | ^']);
  expect(frame('', 1, 1)).toEqual(['1 |', '  | ^']);
});

test('lines up line numbers of different length', () => {
  expect(frame('x\n'.repeat(12), 10, 1)).toEqual([' 9 | x', '10 | x', '   | ^', '11 | x']);
});

test('shows tabs as two spaces and keeps the marker under its text', () => {
  expect(frame('\tkey\t= 1\r\nb\r\n', 1, 6, 7)).toEqual(['1 |   key  = 1', '  |        ^', '2 | b']);
});

test('marks wide characters at the columns they take', () => {
  expect(frame('"名前" = 1', 1, 8)).toEqual(['1 | "名前" = 1', '  |          ^']);
  expect(frame('"𝄞" = 1', 1, 8)).toEqual(['1 | "𝄞" = 1', '  |       ^']);
});

test('makes harmless what a terminal would obey or hide', () => {
  expect(frame('a = "\u001b[31m\u0000\u007f\u009b\u202e\u200b"', 1, 6, 8)).toEqual([
    '1 | a = "\\u{1b}[31m\\u{0}\\u{7f}\\u{9b}\\u{202e}\\u{200b}"',
    '  |      ^~~~~~~',
  ]);
});

test('cuts a long line behind the place', () => {
  const [line, marker] = frame(`a = "${'x'.repeat(500)}"`, 1, 5, 507);
  expect(line).toBe(`1 | a = "${'x'.repeat(94)}…`);
  expect(marker).toBe(`  |     ^${'~'.repeat(95)}`);
});

test('shows a long line as a window around the place, and its neighbours alike', () => {
  const text = `short\n${'x'.repeat(300)}bad${'y'.repeat(300)}\n${'z'.repeat(400)}`;
  expect(frame(text, 2, 301, 304)).toEqual([
    '1 | …',
    `2 | …${'x'.repeat(30)}bad${'y'.repeat(65)}…`,
    `  | ${' '.repeat(31)}^~~`,
    `3 | …${'z'.repeat(98)}…`,
  ]);
});

test('is quick with one line of a megabyte', () => {
  const text = 'x'.repeat(1_000_000);
  const started = processorMs();
  for (let i = 0; i < 100; i++) codeFrame(text, 1, 999_999);
  expect(processorMs() - started).toBeLessThan(1000);
});

test('no place in no text breaks it, its width or its safety', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '\r\n', '\t', '\u001b[2J', 'x'.repeat(200)),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.nat(9), fc.nat(400), fc.nat(400), (written, line, column, length) => {
      const shown = codeFrame(written, line + 1, column + 1, column + 1 + length);
      for (const entry of shown.split('\n')) {
        expect(displayWidth(entry)).toBeLessThanOrEqual(110);
        expect(entry).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
      }
    }),
  );
});
