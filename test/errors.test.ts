import { expect, test } from 'vitest';
import { PasskError } from '../src/errors.ts';

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
