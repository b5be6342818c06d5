import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ModelReport, RunSuiteOptions } from '../../../src/index.ts';
import { GENKIT, skipsGenkit } from '../../runners/a-genkit.ts';
import { checkModels, CONFORM, specsIn } from './a-spec.ts';

const PLUGIN = fileURLToPath(new URL('../../runners/fake-plugin.mjs', import.meta.url));
const SPEC = (name: string): string => `
- model: fake/${name}
- model: fake/${name}-small
  supports: [tool-request, streaming-tool-request, output-image, output-audio]
`;
const TESTS = 13;

/** Plug-ins whose models answer as a mode says, behind the real Genkit. */
function pluginsOf(names: readonly string[], spec = SPEC, atEnd?: (remove: () => void) => void): string {
  const conform = CONFORM.replace('echo = []', `${names.map((name) => `${name} = []`).join('\n')}`).replace(
    'plugins-dir = "plugins"',
    'plugins-dir = "plugins"\nentry-command = ["node"]\ncwd = "."',
  );
  const cwd = specsIn(Object.fromEntries(names.map((name) => [name, spec(name)])), conform, atEnd);
  writeFileSync(path.join(cwd, 'package.json'), '{"private":true}');
  symlinkSync(path.join(GENKIT, 'node_modules'), path.join(cwd, 'node_modules'));
  for (const name of names) {
    const entry = path.join(cwd, 'specs', name, 'entry.mjs');
    writeFileSync(
      entry,
      `import { fakePlugin } from ${JSON.stringify(PLUGIN)};\nexport const ai = await fakePlugin(import.meta.url);\n`,
    );
  }
  return cwd;
}

function check(cwd: string, runner: string, options: RunSuiteOptions = {}): Promise<readonly ModelReport[]> {
  return checkModels(cwd, { FAKE_GENKIT: GENKIT }, { runner, ...options });
}

type Cells = ModelReport['cells'];

function countsOf(cells: Cells): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of cells) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Their names say how they answer. */
const MODES = ['good', 'bad', 'silent', 'mid-stream-error', 'flaky'] as const;
type Mode = (typeof MODES)[number];

/** The cells of each mode, asked of one process. */
async function cellsByMode(cwd: string, runner: string, options?: RunSuiteOptions): Promise<Record<Mode, Cells>> {
  const [result] = await check(cwd, runner, options);
  const cellsOf = (mode: Mode) => result?.cells.filter(({ model }) => model.replace(/-small$/, '') === `fake/${mode}`);
  return Object.fromEntries(MODES.map((mode) => [mode, cellsOf(mode) ?? []])) as unknown as Record<Mode, Cells>;
}

describe.skipIf(skipsGenkit).each(['reflection', 'reflection-v2', 'in-process'])('the real Genkit by %s', (runner) => {
  let cells: Record<Mode, Cells>;
  beforeAll(async () => {
    let remove = (): void => undefined;
    const cwd = pluginsOf(
      ['one'],
      () => MODES.map(SPEC).join(''),
      (atEnd) => (remove = atEnd),
    );
    cells = await cellsByMode(cwd, runner);
    remove();
  });

  test('a good plug-in passes every built-in test that it names', () => {
    expect(countsOf(cells.good)).toEqual({ passed: TESTS });
  });

  test('a bad one passes none', () => {
    const { passed = 0, flaky = 0, ...others } = countsOf(cells.bad);
    expect(passed + flaky).toBe(0);
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(TESTS);
  });

  test('one that streams nothing fails its streaming tests and no other', () => {
    const failed = cells.silent.filter(({ state }) => state !== 'passed').map(({ test: id }) => id);
    expect(new Set(failed)).toEqual(
      new Set(['streaming-multiturn', 'streaming-tool-request', 'streaming-structured-output']),
    );
  });

  test('one that breaks off in the middle of a stream has errors, with what it said of them', () => {
    expect(countsOf(cells['mid-stream-error'])).toEqual({ error: TESTS });
    expect(cells['mid-stream-error'][0]?.message).toContain('lost the thread');
  });

  test('one that is over its quota now and then passes every test, some of them after a retry', () => {
    const { passed = 0, flaky = 0, ...others } = countsOf(cells.flaky);
    expect({ all: passed + flaky, others }).toEqual({ all: TESTS, others: {} });
    expect(flaky).toBeGreaterThan(0);
  });
});

test.skipIf(skipsGenkit)('five plug-ins at once over one working folder give what they give alone', async () => {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const results = await check(pluginsOf(names), 'reflection');
  expect(results.map(({ name, verdict }) => [name, verdict])).toEqual(names.toSorted().map((name) => [name, 'passed']));
  expect(countsOf(results.flatMap(({ cells }) => cells))).toEqual({ passed: names.length * TESTS });
});

describe.skipIf(skipsGenkit)("Genkit's own command", () => {
  const SOUND = `
  tests:
    - name: a sound
      input: { messages: [{ role: user, content: [{ text: Say hello. }] }] }
      validators: ["valid-media:audio"]
`;
  // Its command takes seconds to start, once for each test: one that streams tells the modes apart.
  const TOLD = `
- model: fake/good
  supports: [streaming-multiturn, tool-request]${SOUND}
- model: fake/bad
  supports: [streaming-multiturn]${SOUND}
- model: fake/silent
  supports: [streaming-multiturn]
- model: fake/mid-stream-error
  supports: [streaming-multiturn]
`;

  test('judges plug-ins as passk does, and says in its own words why a test failed, without its answer', async () => {
    const cwd = pluginsOf(['one'], () => TOLD);
    const [told] = await check(cwd, 'cli');
    const [judged] = await check(cwd, 'reflection', { testConcurrency: 1 });
    const statesIn = (result: ModelReport | undefined) =>
      result?.cells.map(({ model, test: id, state }) => [model, id, state]);
    expect(statesIn(told)).toEqual(statesIn(judged));
    expect(told?.cells.length).toBe(7);
    expect(told?.cells.filter(({ model, test: id }) => model === 'fake/bad' && id === 'a sound')).toMatchObject([
      { state: 'failed', message: 'cli: Model did not return audio part.', answer: null, tokens: 0 },
    ]);
  });

  test('judges by its own validators alone: others, and other readings of them, are errors of the file', async () => {
    const spec = `
- model: fake/good
  supports: [streaming-multiturn, tool-request]${SOUND}`;
    const cwd = pluginsOf(['one'], () => `${spec.trimEnd().slice(0, -1)}, "usage-sane"]\n`);
    await expect(check(cwd, 'cli')).rejects.toMatchObject({
      issues: [{ code: 'unknown_validator', at: { line: 7, column: 41 } }],
    });
    await expect(
      check(
        pluginsOf(['one'], () => spec),
        'cli',
        { compat: 'python' },
      ),
    ).rejects.toMatchObject({
      issues: [
        { message: 'The runner "cli" judges answers itself, and not as `--compat python` says.', at: { line: 2 } },
      ],
    });
  });
});
