import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ModelReport, RunSuiteOptions } from '../../../src/index.ts';
import { GENKIT, skipsGenkit } from '../../runners/a-genkit.ts';
import { aFolder } from '../../runners/a-runner.ts';
import { checkModels } from './a-spec.ts';

const local = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
/** Genkit's own spec files, which stand beside the project where they may. */
const REFERENCE = local('../../../../shared/reference/genkit');
const TSX = local('../../../.passk/tsx/node_modules');
const PLUGINS = { anthropic: 34, 'compat-oai': 20, ollama: 3 } as const;
const skips = !existsSync(REFERENCE) || skipsGenkit;
const KEYS = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none' };

/** The folder of Genkit's repository that holds its spec files, each with the fake plug-in as its entry. */
function theSpecs(extension: 'mjs' | 'ts'): string {
  const root = realpathSync(aFolder());
  const specs = path.join(root, 'py', 'tests', 'conform');
  for (const plugin of Object.keys(PLUGINS)) {
    mkdirSync(path.join(specs, plugin), { recursive: true });
    const spec = path.join(plugin, 'model-conformance.yaml');
    copyFileSync(path.join(REFERENCE, spec), path.join(specs, spec));
    writeFileSync(
      path.join(specs, plugin, `conformance_entry.${extension}`),
      `import { fakePlugin } from ${JSON.stringify(local('../../runners/fake-plugin.mjs'))};
export const ai = await fakePlugin(import.meta.url);\n`,
    );
  }
  copyFileSync(path.join(REFERENCE, 'conform.toml'), path.join(specs, 'conform.toml'));
  mkdirSync(path.join(root, 'js'));
  // An entry in TypeScript is an ES module where its package says so.
  writeFileSync(path.join(root, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(path.join(root, 'js', 'package.json'), '{"private":true,"type":"module"}');
  if (extension === 'ts') symlinkSync(TSX, path.join(root, 'node_modules'));
  return specs;
}

/** `conform.toml` for entries that Node runs as they are. */
const CONFORM = `
[conform]
max-retries = 0
[conform.env]
anthropic = ["ANTHROPIC_API_KEY"]
compat-oai = ["OPENAI_API_KEY"]
ollama = []
[conform.runtimes.js]
cwd = "."
specs-dir = "."
plugins-dir = "."
entry-command = ["node"]
entry-filename = "conformance_entry.mjs"
default-runner = "reflection"
`;

function check(cwd: string, mode: string, options: RunSuiteOptions): Promise<readonly ModelReport[]> {
  return checkModels(cwd, { ...KEYS, FAKE_GENKIT: GENKIT, FAKE_MODE: mode }, options);
}

/** How each test ended, by plug-in, in the order of the file. */
function verdictsOf(results: readonly ModelReport[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(results.map(({ name, cells }) => [name, cells.map(({ state }) => state)]));
}

const all = (state: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(PLUGINS).map(([plugin, tests]) => [plugin, Array.from({ length: tests }, () => state)]),
  );

describe.skipIf(skips)("Genkit's spec files", () => {
  const run = async (mode: string, options: RunSuiteOptions = {}): Promise<readonly ModelReport[]> => {
    const cwd = theSpecs('mjs');
    writeFileSync(path.join(cwd, 'conform.toml'), CONFORM);
    return check(cwd, mode, options);
  };

  test.each(['reflection', 'reflection-v2', 'in-process'])(
    'pass by %s where the plug-ins keep the contract',
    async (runner) => {
      expect(verdictsOf(await run('good', { runner }))).toEqual(all('passed'));
    },
  );

  test('fail where they answer something else', async () => {
    expect(verdictsOf(await run('bad'))).toEqual(all('failed'));
  });

  test('fail in their streaming tests alone where they stream nothing', async () => {
    const results = await run('silent');
    const wanted = results.map(({ name, cells }) => [
      name,
      cells.map(({ test: id }) => (id.startsWith('streaming') ? 'failed' : 'passed')),
    ]);
    expect(verdictsOf(results)).toEqual(Object.fromEntries(wanted));
    expect(new Set(results.flatMap(({ cells }) => cells.map(({ state }) => state)))).toEqual(
      new Set(['passed', 'failed']),
    );
  });

  test('have errors where they break off, and are too late where they are slow', async () => {
    expect(verdictsOf(await run('mid-stream-error'))).toEqual(all('error'));
    expect(verdictsOf(await run('slow', { actionTimeout: 2, testConcurrency: 40 }))).toEqual(all('timed_out'));
  });

  test('are flaky just where each third call is refused, and pass all the same', async () => {
    const results = await run('flaky', { maxRetries: 5, retryBaseDelay: 0 });
    const found = results.map(({ name, cells }) => [name, cells.reduce((sum, { retries }) => sum + retries, 0)]);
    // Of all calls each third one is asked again, and the last one is not: of n tests, n + (n - 1) / 2 calls.
    const wanted = Object.entries(PLUGINS).map(([plugin, tests]) => [plugin, Math.floor((tests - 1) / 2)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    for (const { state, retries } of results.flatMap(({ cells }) => cells)) {
      expect(state).toBe(retries > 0 ? 'flaky' : 'passed');
    }
  });
});

describe.skipIf(skips || !existsSync(TSX))('the conform.toml of Genkit, as it is', () => {
  test.each(['reflection', 'in-process'])('runs its spec files by %s', async (runner) => {
    const cwd = theSpecs('ts');
    const before = readFileSync(path.join(cwd, 'conform.toml'), 'utf8');
    expect(before).toBe(readFileSync(path.join(REFERENCE, 'conform.toml'), 'utf8'));
    const results = await check(cwd, 'good', { runner, runtimes: ['js'] });
    expect(verdictsOf(results)).toEqual(all('passed'));
    expect(results.map(({ runtime, runner: by }) => [runtime, by])).toEqual(
      Array.from(Object.keys(PLUGINS), () => ['js', runner]),
    );
  });

  test('skips what has no key, by name', async () => {
    const results = await checkModels(
      theSpecs('ts'),
      { FAKE_GENKIT: GENKIT, FAKE_MODE: 'good' },
      { runner: 'in-process', runtimes: ['js'] },
    );
    expect(results.map(({ name, verdict, missingEnv }) => [name, verdict, missingEnv])).toEqual([
      ['anthropic', 'skipped', ['ANTHROPIC_API_KEY']],
      ['compat-oai', 'skipped', ['OPENAI_API_KEY']],
      ['ollama', 'passed', []],
    ]);
  });
});
