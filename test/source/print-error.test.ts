import { expect, test } from 'vitest';
import { PasskError } from '../../src/errors.ts';
import { printError } from '../../src/source/print-error.ts';

test('an error is printed with its place and hint, and nothing of it acts on a terminal', () => {
  const error = new PasskError('USAGE', 'There is no reporter "\u001b[31mred\u202e".', {
    at: { file: 'a\u0007.toml', line: 3, column: 7 },
    hint: 'Write http://user:secret@host.\r',
  });
  expect(printError(error, { color: false })).toBe(
    'passk: a\\u{7}.toml:3:7 There is no reporter "\\u{1b}[31mred\\u{202e}".\nWrite http://***********@host.\\r\n',
  );
});

test('a fault of passk is said with its stack, as text', () => {
  const error = new Error('no \u001b[2J');
  error.stack = 'Error: no \u001b[2J\n    at here';
  expect(printError(error, { color: false })).toBe(
    'passk: internal error, please report it.\nError: no \\u{1b}[2J\n    at here\n',
  );
});

test('a word of a mebibyte is not repeated in full', () => {
  const error = new PasskError('USAGE', `There is no reporter "${'x'.repeat(1 << 20)}".`);
  expect(printError(error, { color: false }).length).toBeLessThan(10_000);
});
