import { expect, test } from 'vitest';
import { PasskError } from '../src/errors.ts';
import type { Issue } from '../src/types/issue.ts';

test('an error of another copy of passk is one of passk', async () => {
  const built = (await import(new URL('../dist/bin/index.js', import.meta.url).href)) as {
    readonly PasskError: typeof PasskError;
  };
  expect(built.PasskError).not.toBe(PasskError);
  const foreign = new built.PasskError('USAGE', 'what happened', { hint: 'what to do' });
  expect(foreign instanceof PasskError).toBe(true);
  expect(new PasskError('INPUT', 'what happened') instanceof built.PasskError).toBe(true);
});

test.each([[new Error('no')], [new TypeError('no')], [{ name: 'PasskError', code: 'USAGE' }], ['PasskError'], [null]])(
  '%o is none of passk',
  (value) => {
    expect((value as unknown) instanceof PasskError).toBe(false);
  },
);

function anIssue(line: number): Issue {
  return { code: 'bad', severity: 'error', message: `Key ${line} is wrong.`, at: { file: 'a.toml', line, column: 3 } };
}

test('whoever sees only the message learns where the first problems are, and how many there are', () => {
  const issues = [
    { ...anIssue(9), severity: 'warning' as const },
    { ...anIssue(1), message: 'No \u001b[2J.', hint: 'Mend it.' },
    ...[2, 3, 4, 5, 6, 7].map(anIssue),
  ];
  const error = new PasskError('INPUT', '7 problems; nothing was run.', { issues });
  expect(error.message.split('\n')).toEqual([
    '7 problems; nothing was run: a.toml:1:3 No \\u{1b}[2J. Mend it.',
    ...[2, 3, 4, 5].map((line) => `  a.toml:${line}:3 Key ${line} is wrong.`),
    '  … and 2 more, in `issues`.',
  ]);
  expect(error.summary).toBe('7 problems; nothing was run.');
});

test('a place of the error itself is in its message, and what a run lacks is there once', () => {
  const at = { file: 'a.json', line: 2, column: 4 };
  expect(new PasskError('INPUT', 'It is not UTF-8.', { at }).message).toBe('a.json:2:4 It is not UTF-8.');
  const lacks = new PasskError('USAGE', 'Key 1 is wrong.', { issues: [anIssue(1)] });
  expect(lacks.message).toBe('Key 1 is wrong.');
});
