import { copyFileSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ModelReport, RunSuiteOptions } from '../../../src/index.ts';
import { GENKIT, skipsGenkit } from '../../runners/a-genkit.ts';
import { checkModels, specsIn, statesOf } from './a-spec.ts';

const local = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const [PYTHON, TSX] = [local('../../../.passk/python-genkit/bin/python'), local('../../../.passk/tsx/node_modules')];
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',');
/** Tests that need what `.ci/run` installs skip without it, unless it is required (`PASSK_REQUIRE`). */
const skips = (file: string, name: string): boolean => !existsSync(file) && !required.includes(name);
const skipsPython = skips(PYTHON, 'genkit-python');
const skipsTsx = skipsGenkit || skips(TSX, 'tsx');

const PY = `
[conform.runtimes.python]
cwd = "."
specs-dir = "specs"
plugins-dir = "plugins"
entry-command = ["${PYTHON}"]
default-runner = "reflection"
`;
const TS = `
[conform.runtimes.js]
cwd = "."
specs-dir = "specs"
plugins-dir = "plugins"
entry-command = ["npx", "tsx"]
default-runner = "reflection"
`;
const ALL = ['tool-request', 'structured-output', 'multiturn', 'system-role', 'input-image-base64', 'input-image-url'];
const STREAMS = ['streaming-multiturn', 'streaming-tool-request', 'streaming-structured-output'];

/** A project whose one model is served by each of these runtimes. */
function aProject(runtimes: string): string {
  const conform = `[conform]\nmax-retries = 0\n${runtimes}`;
  const cwd = specsIn({ fake: '- model: fake/one\n' }, conform);
  const at = path.join(cwd, 'specs', 'fake');
  writeFileSync(path.join(cwd, 'package.json'), '{"private":true,"type":"module"}');
  if (runtimes.includes(PY)) {
    copyFileSync(local('fixtures/conformance_entry.py'), path.join(at, 'conformance_entry.py'));
  }
  symlinkSync(runtimes.includes(TS) ? TSX : path.join(GENKIT, 'node_modules'), path.join(cwd, 'node_modules'));
  if (runtimes.includes(TS)) {
    const plugin = JSON.stringify(local('../../runners/fake-plugin.mjs'));
    writeFileSync(
      path.join(at, 'conformance_entry.ts'),
      `import { fakePlugin } from ${plugin};\nconst here: string = import.meta.url;\nexport const ai: object = await fakePlugin(here);\n`,
    );
  }
  return cwd;
}

function check(cwd: string, mode: string, options: RunSuiteOptions = {}): Promise<readonly ModelReport[]> {
  return checkModels(cwd, { FAKE_GENKIT: GENKIT, FAKE_MODE: mode }, options);
}

const allAre = (state: string, tests: readonly string[] = [...ALL, ...STREAMS]): Readonly<Record<string, string>> =>
  Object.fromEntries(tests.map((id) => [id, state]));

describe.skipIf(skipsPython).each(['reflection', 'reflection-v2'])("Python's Genkit by %s", (runner) => {
  const states = async (mode: string, options: RunSuiteOptions = {}): Promise<object> =>
    statesOf(await check(aProject(PY), mode, { runner, ...options }));

  test('passes where its model keeps the contract', async () => {
    expect(await states('good')).toEqual(allAre('passed'));
  });

  test('fails where its model answers something else, or streams nothing', async () => {
    expect(await states('bad')).toEqual(allAre('failed'));
    expect(await states('silent')).toEqual({ ...allAre('passed'), ...allAre('failed', STREAMS) });
  });

  test('has errors where its model throws, and is asked again where that may pass', async () => {
    const [result] = await check(aProject(PY), 'mid-stream-error', { runner });
    expect(statesOf(result === undefined ? [] : [result])).toEqual(allAre('error'));
    expect(result?.cells[0]?.message).toContain('lost the thread');
    const again = await states('busy', { maxRetries: 1, names: ['system-role'] });
    expect(again).toEqual({ 'system-role': 'flaky' });
  });

  test('is too late where its model is', async () => {
    expect(await states('slow', { actionTimeout: 1, testConcurrency: 9 })).toEqual(allAre('timed_out'));
  });
});

test.skipIf(skipsPython || skipsGenkit)("Python's Genkit is judged by Genkit's own command as by passk", async () => {
  const options = { runner: 'cli', names: ['system-role'] };
  for (const [mode, state] of [
    ['good', 'passed'],
    ['bad', 'failed'],
    ['mid-stream-error', 'error'],
  ] as const) {
    expect(statesOf(await check(aProject(PY), mode, options))).toEqual({ 'system-role': state });
  }
});

test.skipIf(skipsTsx)('an entry in TypeScript is started with tsx, and in-process loads it', async () => {
  const cwd = aProject(TS);
  expect(statesOf(await check(cwd, 'good'))).toEqual(allAre('passed'));
  expect(statesOf(await check(cwd, 'good', { runner: 'in-process' }))).toEqual(allAre('passed'));
});

test.skipIf(skipsPython || skipsTsx)('runtimes of two languages are compared over one spec file', async () => {
  const results = await check(aProject(`${TS}${PY}`), 'good');
  expect(results.map(({ name, verdict, parity }) => [name, verdict, parity?.compared, parity?.differences])).toEqual([
    ['fake@js', 'passed', undefined, undefined],
    ['fake@python', 'passed', 9, []],
  ]);
});
