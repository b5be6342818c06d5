import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { aFolder, aRunner, FIXTURES, PATIENCE, textOf } from './a-runner.ts';

const ENTRY = path.join(FIXTURES, 'fake-v2.mjs');
const open = (script: string, given: Partial<RunnerStart> = {}) => {
  const entry = path.join(aFolder(), 'entry.mjs');
  writeFileSync(entry, script);
  return aRunner('reflection-v2', { entry, ...given });
};

test('a program that ends before it connects is told at once, with what it wrote', async () => {
  await expect(open("process.stderr.write('no key\\n', () => process.exit(4));")).rejects.toThrow(
    'The entry ended with exit code 4; its last lines: no key.',
  );
});

test('a program that does not connect is given up after the startup timeout', async () => {
  await expect(open('setTimeout(() => {}, 60000);', { startupTimeoutMs: 400 })).rejects.toThrow(
    'The entry did not connect within 400 ms.',
  );
});

test('the program is told when an answer is not waited for any more', async () => {
  const runner = await aRunner('reflection-v2', { entry: ENTRY });
  await runner.say('fake: slow', { timeoutMs: 200 });
  expect(textOf(await runner.say('next'))).toBe('echo: next');
  await vi.waitFor(() => expect(runner.printed).toContain('cancelled trace-1'), PATIENCE);
});

test('many programs at once do not meet', async () => {
  const runners = await Promise.all([0, 1, 2, 3, 4].map(() => aRunner('reflection-v2', { entry: ENTRY })));
  const answers = await Promise.all(runners.map((runner, index) => runner.say(`to ${index}`)));
  expect(answers.map(textOf)).toEqual([0, 1, 2, 3, 4].map((index) => `echo: to ${index}`));
});

test('a message that is too long costs its question, and the next one is answered', async () => {
  const runner = await aRunner('reflection-v2', { entry: ENTRY });
  expect(await runner.say('fake: big 70000000')).toMatchObject({
    kind: 'problem',
    why: 'error',
    message: 'The reply has more than 67108864 bytes.',
    transient: false,
  });
  expect(textOf(await runner.say('next'))).toBe('echo: next');
});
