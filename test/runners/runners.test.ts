import path from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test as anyTest, vi } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { allGone, childrenOf } from '../support/processes.ts';
import { aGenkitProject, skipsGenkit } from './a-genkit.ts';
import {
  aFolder,
  aRunner,
  FIXTURES,
  openRunner,
  PATIENCE,
  piecesOf,
  said,
  type TestedRunner,
  textOf,
} from './a-runner.ts';

interface Case {
  readonly name: string;
  readonly type: string;
  start(folder: string): Partial<RunnerStart>;
  /** It shows pieces as they come. */
  readonly incremental: boolean;
  readonly needs?: 'genkit';
}

const fixture = (name: string): string => path.join(FIXTURES, name);
const aProject = (folder: string): Partial<RunnerStart> => aGenkitProject(['fake/one'], folder);
const CASES: readonly Case[] = [
  {
    name: 'native, one question at a time',
    type: 'native',
    start: () => ({ executor: fixture('fake-native.mjs'), env: { FAKE_STDOUT: 'wire' } }),
    incremental: false,
  },
  {
    name: 'native, with ids',
    type: 'native',
    start: () => ({ executor: fixture('fake-native.mjs'), env: { FAKE_STDOUT: 'wire', FAKE_IDS: '1' } }),
    incremental: false,
  },
  { name: 'in-process', type: 'in-process', start: () => ({ entry: fixture('fake-module.mjs') }), incremental: true },
  {
    name: 'reflection',
    type: 'reflection',
    start: (cwd) => ({ entry: fixture('fake-reflection.mjs'), cwd }),
    incremental: true,
  },
  {
    name: 'reflection v2',
    type: 'reflection-v2',
    start: () => ({ entry: fixture('fake-v2.mjs') }),
    incremental: true,
  },
  { name: 'reflection of Genkit', type: 'reflection', start: aProject, incremental: true, needs: 'genkit' },
  { name: 'reflection v2 of Genkit', type: 'reflection-v2', start: aProject, incremental: true, needs: 'genkit' },
  { name: 'in-process of Genkit', type: 'in-process', start: aProject, incremental: true, needs: 'genkit' },
];

describe.each(CASES)('$name', ({ type, start, incremental, needs }) => {
  const test = needs === 'genkit' ? anyTest.skipIf(skipsGenkit) : anyTest;
  const open = () => aRunner(type, start(aFolder()));
  // Those that break nothing ask the same one, which is what a run does.
  let shared: TestedRunner;
  beforeAll(async () => {
    if (needs === 'genkit' && skipsGenkit) return undefined;
    let remove = (): void => undefined;
    const folder = aFolder((atEnd) => (remove = atEnd));
    shared = await openRunner(type, start(folder));
    return async () => {
      await shared.close();
      remove();
    };
  });

  test('gives the answer as it came', async () => {
    const answer = await shared.say('good day');
    expect(answer).toMatchObject({
      kind: 'answer',
      chunks: null,
      response: {
        message: { role: 'model', content: [{ text: 'echo: good day' }] },
        finishReason: 'stop',
        usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
      },
    });
    expect(answer.latencyMs).toBeGreaterThan(0);
  });

  test('hands on the whole request', async () => {
    const input = {
      messages: [{ role: 'user', content: [{ text: 'What is the weather in Paris?' }] }],
      tools: [{ name: 'weather', description: 'It tells.', inputSchema: { type: 'object' } }],
    };
    expect(await shared.say('', { input })).toMatchObject({
      response: { message: { content: [{ toolRequest: { name: 'weather' } }] } },
    });
  });

  test('gives the pieces of a stream in order', async () => {
    const answer = await shared.say('good day', { stream: true });
    expect([piecesOf(answer), textOf(answer)]).toEqual([['echo: g', 'ood day'], 'echo: good day']);
    const times = (answer.chunks ?? []).map(({ atMs }) => atMs);
    if (incremental) expect([...times].sort((one, other) => Number(one) - Number(other))).toEqual(times);
    else expect(times).toEqual([null, null]);
  });

  test('that asks for a stream and gets no pieces says so', async () => {
    const answer = await shared.say('fake: silent', { stream: true });
    expect([answer.chunks, textOf(answer)]).toEqual([[], 'said at once']);
  });

  test('says what the model refuses with, and whether that may pass', async () => {
    expect(await shared.say('fake: refuse')).toMatchObject({
      kind: 'problem',
      why: 'error',
      message: 'RESOURCE_EXHAUSTED: quota exceeded',
      transient: true,
    });
    expect(await shared.say('hi', { model: 'other/none' })).toMatchObject({
      kind: 'problem',
      why: 'error',
      transient: false,
    });
    expect(textOf(await shared.say('hi'))).toBe('echo: hi');
  });

  test('keeps the pieces that came before an error', async () => {
    const answer = await shared.say('fake: break', { stream: true });
    expect(answer).toMatchObject({
      kind: 'problem',
      why: 'error',
      message: expect.stringContaining('lost the thread'),
    });
    expect(piecesOf(answer)).toEqual(['half of']);
  });

  test('never takes a late answer for that of the next question', async () => {
    const slow = await shared.say('fake: slow', { timeoutMs: 300 });
    expect(slow).toMatchObject({ kind: 'problem', why: 'timed_out', transient: true, latencyMs: 300 });
    expect(await texts(shared, ['a', 'b', 'c'])).toEqual(['echo: a', 'echo: b', 'echo: c']);
  });

  test('asks several at a time without mixing them up', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => `question ${index}`);
    expect(await texts(shared, asked)).toEqual(asked.map((text) => `echo: ${text}`));
  });

  test('carries a big answer', async () => {
    expect(textOf(await shared.say('fake: big 8000000'))).toHaveLength(8_000_000);
  });

  test('is not held up by what its process prints', async () => {
    const answers = await texts(shared, ['fake: shout', 'fake: shout', 'fake: shout']);
    expect(answers).toEqual(['did: shout', 'did: shout', 'did: shout']);
    await vi.waitFor(() => expect(shared.printed).toContain('!'.repeat(99)), PATIENCE);
  });

  test('says that its process died or hangs, and starts another one for the next question', async () => {
    const runner = await open();
    expect(await runner.say('fake: die')).toMatchObject({
      kind: 'problem',
      why: 'died',
      transient: true,
      message: expect.stringContaining('no more of this'),
    });
    expect(textOf(await runner.say('still there?'))).toBe('echo: still there?');
    // The same for one that hangs.
    expect(await runner.say('fake: hang', { timeoutMs: 500 })).toMatchObject({ why: 'timed_out' });
    expect(textOf(await runner.say('and now?'))).toBe('echo: and now?');
  });

  test('whose questions are all too late at once says nothing of it on the terminal', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', hear);
    const runner = await open();
    const slow = Array.from({ length: 12 }, () => runner.say('fake: slow', { timeoutMs: 300 }));
    expect(new Set((await Promise.all(slow)).map((answer) => answer.kind === 'problem' && answer.why))).toEqual(
      new Set(['timed_out']),
    );
    await setImmediate();
    process.off('warning', hear);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });

  test('gives up a question that nobody waits for', async () => {
    const stop = new AbortController();
    const asked = shared.say('fake: slow', {}, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(asked).rejects.toThrow('enough');
    expect(textOf(await shared.say('next'))).toBe('echo: next');
  });

  test('leaves no process behind', async () => {
    const before = new Set(childrenOf(process.pid));
    const runner = await open();
    const started = childrenOf(process.pid).filter((pid) => !before.has(pid));
    await runner.say('fake: slow', { timeoutMs: 100 });
    await runner.say('and once more');
    started.push(...childrenOf(process.pid).filter((pid) => !before.has(pid)));
    expect(started.length).toBeGreaterThan(0);
    await runner.close();
    expect(await allGone(started)).toBe(true);
  });

  async function texts(runner: TestedRunner, asked: readonly string[]) {
    return (await Promise.all(asked.map((text) => runner.say('', { input: said(text) })))).map(textOf);
  }
});
