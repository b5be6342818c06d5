import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { builtinRunners } from '../../src/runners/builtin.ts';
import { allGone, childrenOf } from '../support/processes.ts';
import { aGenkitProject, skipsGenkit } from './a-genkit.ts';
import { aFolder, aRunner, aStart, FIXTURES, PATIENCE, textOf } from './a-runner.ts';

const ENTRY = path.join(FIXTURES, 'fake-reflection.mjs');
const problems = async (given: Partial<RunnerStart>) =>
  builtinRunners.find(({ type }) => type === 'reflection')?.problems?.(aStart(given));

/** Starts five plug-ins in one folder at once, asks each, and gives their answers and what their files were. */
async function five(open: (index: number) => Promise<Awaited<ReturnType<typeof aRunner>>>) {
  const runners = await Promise.all([0, 1, 2, 3, 4].map(open));
  return Promise.all(
    runners.map(async (runner, index) => textOf(await runner.say(`${index}`, { model: `fake/${index}` }))),
  );
}

test('finds its own program among others of the same folder, and leaves their files alone', async () => {
  const cwd = aFolder();
  const runtimes = path.join(cwd, '.genkit', 'runtimes');
  mkdirSync(runtimes, { recursive: true });
  const foreign = path.join(runtimes, '9999999-4000.json');
  const text = JSON.stringify({ id: 'theirs', pid: 1, reflectionServerUrl: 'http://localhost:1' });
  writeFileSync(foreign, text);
  const answers = await five(() => aRunner('reflection', { entry: ENTRY, cwd }));
  expect(answers).toEqual(['echo: 0', 'echo: 1', 'echo: 2', 'echo: 3', 'echo: 4']);
  expect(readFileSync(foreign, 'utf8')).toBe(text);
});

test('leaves no runtime file of its own behind, be it killed', async () => {
  const cwd = aFolder();
  const runner = await aRunner('reflection', { entry: ENTRY, cwd });
  await runner.say('fake: die');
  await runner.say('hi');
  await runner.close();
  expect(readdirSync(path.join(cwd, '.genkit', 'runtimes'))).toEqual([]);
});

test('knows a program that its command starts as a process of its own, and ends that too', async () => {
  const cwd = aFolder();
  const runner = await aRunner('reflection', {
    entry: ENTRY,
    cwd,
    // As `npx tsx` does: the server is a child of the child, and does not say the name that it was given.
    command: ['sh', '-c', `${process.execPath} "$0"; exit 1`],
    env: { FAKE_NAMELESS: '1' },
  });
  const [name = ''] = readdirSync(path.join(cwd, '.genkit', 'runtimes'));
  const pid = Number.parseInt(name, 10);
  expect(textOf(await runner.say('hi'))).toBe('echo: hi');
  await runner.close();
  expect(await allGone([pid])).toBe(true);
});

test('finds the file of a program in a project above its folder', async () => {
  const project = aFolder();
  const cwd = path.join(project, 'packages', 'one');
  mkdirSync(cwd, { recursive: true });
  const runner = await aRunner('reflection', { entry: ENTRY, cwd, env: { FAKE_PROJECT: project } });
  expect(textOf(await runner.say('hi'))).toBe('echo: hi');
});

describe('a program that does not come up', () => {
  const open = (script: string, given: Partial<RunnerStart> = {}) => {
    const cwd = aFolder();
    const entry = path.join(cwd, 'entry.mjs');
    writeFileSync(entry, script);
    return aRunner('reflection', { entry, cwd, ...given });
  };

  test('is told at once when it ends, with what it wrote', async () => {
    await expect(open("process.stderr.write('no key for the plug-in\\n', () => process.exit(4));")).rejects.toThrow(
      'The entry ended with exit code 4; its last lines: no key for the plug-in.',
    );
  });

  test('is given up after the startup timeout, and ended', async () => {
    const before = new Set(childrenOf(process.pid));
    await expect(open('setTimeout(() => {}, 60000);', { startupTimeoutMs: 500 })).rejects.toThrow(
      'The entry opened no reflection server within 500 ms.',
    );
    expect(await allGone(childrenOf(process.pid).filter((pid) => !before.has(pid)))).toBe(true);
  });

  test('is given up when its server never answers', async () => {
    const script = readFileSync(ENTRY, 'utf8')
      .replace("'./fake-model.mjs'", JSON.stringify(path.join(FIXTURES, 'fake-model.mjs')))
      .replace("return response.end('OK')", 'return undefined');
    await expect(open(script, { startupTimeoutMs: 1500, healthTimeoutMs: 200 })).rejects.toThrow(
      /^The entry has a reflection server that is not healthy within 1500 ms/,
    );
  });

  test('whose server is elsewhere is not asked', async () => {
    const script = readFileSync(ENTRY, 'utf8')
      .replace("'./fake-model.mjs'", JSON.stringify(path.join(FIXTURES, 'fake-model.mjs')))
      .replace('http://localhost:', 'http://models.example:');
    await expect(open(script)).rejects.toThrow('which is not on this machine');
  });
});

test('tells the server when it does not wait for an answer any more', async () => {
  const runner = await aRunner('reflection', { entry: ENTRY, cwd: aFolder() });
  await runner.say('fake: slow', { timeoutMs: 200 });
  await runner.say('next');
  await vi.waitFor(() => expect(runner.printed).toContain('cancelled trace-1'), PATIENCE);
});

test('an action key is used as it stands', async () => {
  const runner = await aRunner('reflection', { entry: ENTRY, cwd: aFolder() });
  expect(textOf(await runner.say('hi', { model: '/model/fake/one' }))).toBe('echo: hi');
});

describe('a server that runs already', () => {
  const served = async () => {
    const cwd = aFolder();
    await aRunner('reflection', { entry: ENTRY, cwd });
    const folder = path.join(cwd, '.genkit', 'runtimes');
    const [name = ''] = readdirSync(folder);
    const file = path.join(folder, name);
    const { reflectionServerUrl: url } = JSON.parse(readFileSync(file, 'utf8'));
    return { url: String(url), file };
  };

  test('is asked where its address is granted, and goes on when the runner is closed', async () => {
    const { url, file } = await served();
    const permissions = { ...aStart().permissions, run: false, net: [new URL(url).host] };
    const runner = await aRunner('reflection', { url, permissions });
    expect(textOf(await runner.say('hi'))).toBe('echo: hi');
    expect(await runner.say('fake: slow', { timeoutMs: 200 })).toMatchObject({ why: 'timed_out' });
    await runner.close();
    expect(existsSync(file)).toBe(true);
    expect(await problems({ url, permissions })).toEqual([]);
  });

  test('needs the flag that grants its address', async () => {
    const url = 'http://localhost:3100';
    const problem = 'A request to localhost:3100 needs --allow-net=localhost:3100.';
    expect(await problems({ url })).toEqual([problem]);
    await expect(aRunner('reflection', { url })).rejects.toThrow(problem);
    expect(await problems({ url: 'ws://localhost:3100' })).toEqual([
      'ws://localhost:3100: the URL must start with http:// or https://.',
    ]);
  });

  test('that is not there is told', async () => {
    const url = 'http://127.0.0.1:1';
    const permissions = { ...aStart().permissions, net: ['127.0.0.1:1'] };
    await expect(aRunner('reflection', { url, permissions, startupTimeoutMs: 300 })).rejects.toThrow(
      'No healthy reflection server answers at http://127.0.0.1:1 within 300 ms.',
    );
  });
});

test.skipIf(skipsGenkit)('five plug-ins of Genkit in one folder at once give what one at a time gives', async () => {
  const cwd = aFolder();
  const models = [0, 1, 2, 3, 4].map((index) => `fake/${index}`);
  const project = aGenkitProject(models, cwd);
  const together = await five(() => aRunner('reflection', project));
  const alone: (string | null)[] = [];
  for (const model of models) {
    const runner = await aRunner('reflection', project);
    alone.push(textOf(await runner.say(model.slice(5), { model })));
    await runner.close();
  }
  expect(together).toEqual(alone);
});
