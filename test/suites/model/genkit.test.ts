import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ModelReport, RunSuiteOptions } from '../../../src/index.ts';
import { GENKIT, skipsGenkit } from '../../runners/a-genkit.ts';
import { checkModels, CONFORM, specsIn, statesOf } from './a-spec.ts';

const PLUGIN = fileURLToPath(new URL('../../runners/fake-plugin.mjs', import.meta.url));
const SPEC = (name: string): string => `
- model: fake/${name}
- model: fake/${name}-small
  supports: [tool-request, streaming-tool-request, output-image, output-audio]
`;
const TESTS = 13;

/** Plug-ins whose models answer as a mode says, behind the real Genkit. */
function pluginsOf(names: readonly string[], spec = SPEC): string {
  const conform = CONFORM.replace('echo = []', `${names.map((name) => `${name} = []`).join('\n')}`).replace(
    'plugins-dir = "plugins"',
    'plugins-dir = "plugins"\nentry-command = ["node"]\ncwd = "."',
  );
  const cwd = specsIn(Object.fromEntries(names.map((name) => [name, spec(name)])), conform);
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

function check(
  cwd: string,
  runner: string,
  mode: string,
  options: RunSuiteOptions = {},
): Promise<readonly ModelReport[]> {
  return checkModels(cwd, { FAKE_GENKIT: GENKIT, FAKE_MODE: mode }, { runner, ...options });
}

function countsOf(results: readonly ModelReport[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of results.flatMap(({ cells }) => cells)) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

describe.skipIf(skipsGenkit).each(['reflection', 'reflection-v2', 'in-process'])('the real Genkit by %s', (runner) => {
  test('a good plug-in passes every built-in test that it names', async () => {
    expect(countsOf(await check(pluginsOf(['one']), runner, 'good'))).toEqual({ passed: TESTS });
  });

  test('a bad one passes none', async () => {
    const { passed = 0, flaky = 0 } = countsOf(await check(pluginsOf(['one']), runner, 'bad'));
    expect(passed + flaky).toBe(0);
  });

  test('one that streams nothing fails its streaming tests and no other', async () => {
    const [result] = await check(pluginsOf(['one']), runner, 'silent');
    const failed = result?.cells.filter(({ state }) => state !== 'passed').map(({ test: id }) => id) ?? [];
    expect(new Set(failed)).toEqual(
      new Set(['streaming-multiturn', 'streaming-tool-request', 'streaming-structured-output']),
    );
  });

  test('one that breaks off in the middle of a stream has errors, with what it said of them', async () => {
    const [result] = await check(pluginsOf(['one']), runner, 'mid-stream-error');
    expect(countsOf(result === undefined ? [] : [result])).toEqual({ error: TESTS });
    expect(result?.cells[0]?.message).toContain('lost the thread');
  });

  test('one that is over its quota now and then passes every test, some of them after a retry', async () => {
    const { passed = 0, flaky = 0, ...others } = countsOf(await check(pluginsOf(['one']), runner, 'flaky'));
    expect({ all: passed + flaky, others }).toEqual({ all: TESTS, others: {} });
    expect(flaky).toBeGreaterThan(0);
  });
});

test.skipIf(skipsGenkit)('five plug-ins at once over one working folder give what they give alone', async () => {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const results = await check(pluginsOf(names), 'reflection', 'good');
  expect(results.map(({ name, verdict }) => [name, verdict])).toEqual(names.toSorted().map((name) => [name, 'passed']));
  expect(countsOf(results)).toEqual({ passed: names.length * TESTS });
});

describe.skipIf(skipsGenkit)("Genkit's own command", () => {
  const spec = (name: string): string => `
- model: fake/${name}
  supports: [streaming-multiturn, tool-request]
  tests:
    - name: a sound
      input: { messages: [{ role: user, content: [{ text: Say hello. }] }] }
      validators: ["valid-media:audio"]
`;
  // Its command takes seconds to start, once for each test: one that streams tells the modes apart.
  test.each([
    ['good', 3],
    ['bad', 1],
    ['silent', 1],
    ['mid-stream-error', 1],
  ] as const)('judges a %s plug-in as passk does, in %i tests', async (mode, tests) => {
    const cwd = pluginsOf(['one'], spec);
    const options = tests === 1 ? { names: ['streaming-multiturn'] } : {};
    const told = await check(cwd, 'cli', mode, options);
    expect(statesOf(told)).toEqual(statesOf(await check(cwd, 'reflection', mode, { ...options, testConcurrency: 1 })));
    expect(Object.keys(statesOf(told)).length).toBe(tests);
  });

  test('says why a test failed, in its own words, and its answers are not shown', async () => {
    const [result] = await check(pluginsOf(['one'], spec), 'cli', 'bad', { names: ['a sound'] });
    expect(result?.cells).toMatchObject([
      { test: 'a sound', state: 'failed', message: 'cli: Model did not return audio part.', answer: null, tokens: 0 },
    ]);
  });

  test('judges by its own validators alone: others, and other readings of them, are errors of the file', async () => {
    const cwd = pluginsOf(['one'], (name) => `${spec(name).trimEnd().slice(0, -1)}, "usage-sane"]\n`);
    await expect(check(cwd, 'cli', 'good')).rejects.toMatchObject({
      issues: [{ code: 'unknown_validator', at: { line: 7, column: 41 } }],
    });
    await expect(check(pluginsOf(['one'], spec), 'cli', 'good', { compat: 'python' })).rejects.toMatchObject({
      issues: [
        { message: 'The runner "cli" judges answers itself, and not as `--compat python` says.', at: { line: 2 } },
      ],
    });
  });
});
