import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { builtinRunners } from '../../src/runners/builtin.ts';
import { aFolder, aRunner, aStart, textOf } from './a-runner.ts';

/** An executor that is this text; `lines` are requests as they come. */
function executor(script: string): string {
  const file = path.join(aFolder(), 'executor.mjs');
  const head = `import { createInterface } from 'node:readline';
const lines = createInterface({ input: process.stdin });
const say = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n');
const answer = (text) => ({ response: { message: { role: 'model', content: [{ text }] } }, chunks: null });
`;
  writeFileSync(file, head + script);
  return file;
}

const open = (script: string, given: Partial<RunnerStart> = {}) =>
  aRunner('native', { executor: executor(script), ...given });
const READY = 'say({ ready: true });\n';

test('gets the plug-in by name, and each request as one line of JSON', async () => {
  const runner = await open(
    `${READY}lines.on('line', (line) => say(answer(JSON.stringify([process.argv.slice(2), JSON.parse(line)]))));`,
  );
  expect(JSON.parse(textOf(await runner.say('hi')) ?? '')).toEqual([
    ['--plugin', 'fake'],
    { id: 1, model: 'fake/one', input: { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }, stream: false },
  ]);
});

test('is asked one thing at a time until it has shown that it sends ids back', async () => {
  const runner = await open(
    `${READY}lines.on('line', (line) => { const { id } = JSON.parse(line); say({ id, ...answer('yes') }); });`,
  );
  expect(runner.atOnce).toBe(1);
  await runner.say('hi');
  expect(runner.atOnce).toBe(null);
});

test.each([
  [
    'ends before it is ready',
    "process.stderr.write('no key\\n', () => process.exit(3));",
    'The native executor ended with exit code 3; its last lines: no key.',
  ],
  [
    'says that it is not',
    "say({ ready: false, error: 'no key' });setTimeout(() => {}, 60000);",
    'The native executor is not ready: no key.',
  ],
])('that %s is told with its reason', async (_, script, message) => {
  await expect(open(script)).rejects.toThrow(message);
});

test('that is not ready in time is ended', async () => {
  const started = open("process.stderr.write('still loading\\n'); setTimeout(() => {}, 60000);", {
    startupTimeoutMs: 400,
  });
  await expect(started).rejects.toThrow(/The native executor was not ready after 400 ms/);
});

test('that answers with what is no JSON is ended, and the next question gets its own answer', async () => {
  const runner = await open(
    `${READY}lines.on('line', (line) => say(line.includes('oops') ? '{"response": {' : answer('fine')));`,
  );
  expect(await runner.say('oops')).toMatchObject({
    why: 'died',
    message: expect.stringContaining('answered with what is no JSON: {"response": {'),
  });
  expect(textOf(await runner.say('again'))).toBe('fine');
});

test('may print words for people between its answers', async () => {
  const runner = await open(`${READY}lines.on('line', () => { say('asking…'); say(''); say(answer('fine')); });`);
  expect(textOf(await runner.say('hi'))).toBe('fine');
});

test('whose runtime is not granted, or is not there, is not started', async () => {
  const runner = builtinRunners.find(({ type }) => type === 'native');
  const problems = (given: Partial<RunnerStart>) => runner?.problems?.(aStart({ executor: executor(READY), ...given }));
  expect(await problems({})).toEqual([]);
  expect(await problems({ executor: null })).toEqual(['There is no native executor to start.']);
  expect(await problems({ command: ['sh'], permissions: { ...aStart().permissions, run: ['ls'] } })).toEqual([
    'The program sh needs --allow-run=sh.',
  ]);
  expect(await problems({ command: ['sh'], permissions: { ...aStart().permissions, run: ['sh'] } })).toEqual([]);
  expect(await problems({ command: ['no-such-program'] })).toEqual([
    expect.stringMatching(/^There is no program no-such-program/),
  ]);
  expect(await problems({ command: [] })).toEqual(['The runtime js has no `entry-command`.']);
});
