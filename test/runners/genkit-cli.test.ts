import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { genkitCliProblems, readCliOutput, runGenkitCli } from '../../src/runners/genkit-cli.ts';
import { aFolder, aStart, FIXTURES } from './a-runner.ts';

const OUTPUT = `Testing model: fake/one
Running test: Multiturn Conformance
✅ Passed: Multiturn Conformance
Running test: Tool Request Conformance
\u001b[31m❌ Failed: Tool Request Conformance - Model did not return a tool request - see above\u001b[39m
Testing model: fake/two
✅ Passed: Multiturn Conformance
--------------------------------------------------
Tests Completed: 2 Passed, 1 Failed
`;

test('each test is told with its model, and why it failed', () => {
  expect(readCliOutput(OUTPUT)).toEqual([
    { model: 'fake/one', name: 'Multiturn Conformance', failure: null },
    {
      model: 'fake/one',
      name: 'Tool Request Conformance',
      failure: 'Model did not return a tool request - see above',
    },
    { model: 'fake/two', name: 'Multiturn Conformance', failure: null },
  ]);
});

test.each([
  ['that prints something else', 'Genkit CLI uses cookies.', 'did not say that its tests are completed'],
  ['that ran nothing', 'Tests Completed: 0 Passed, 0 Failed', 'ran no test'],
  [
    'that counts more than it names',
    '✅ Passed: A\nTests Completed: 2 Passed, 0 Failed',
    'counted 2 passed and 0 failed tests, and named 1 and 0',
  ],
])('a run %s has no verdicts', (_, text, why) => {
  expect(readCliOutput(text)).toBe(why);
});

describe('the command', () => {
  const start = (script: string) => {
    const cwd = aFolder();
    const file = path.join(cwd, 'node_modules', '.bin', 'genkit');
    writeScript(file, script);
    return aStart({ cwd, entry: path.join(FIXTURES, 'fake-module.mjs'), command: ['node'], spec: '/specs/a.yaml' });
  };
  const options = { timeoutMs: 30_000, signal: new AbortController().signal };

  test('gets the spec file and the command of the entry, and a failed test is no failure of it', async () => {
    const given = start(
      'echo "Testing model: $*"; echo "❌ Failed: A - no"; echo "Tests Completed: 0 Passed, 1 Failed"; exit 1',
    );
    const [verdict] = await runGenkitCli(given, options);
    expect(verdict).toEqual({
      model: `dev:test-model --non-interactive --from-file /specs/a.yaml -- node ${given.entry}`,
      name: 'A',
      failure: 'no',
    });
  });

  test('that exits with 0 and ran nothing is an error, with what it printed', async () => {
    await expect(runGenkitCli(start('echo "Accept our cookies first."; exit 0'), options)).rejects.toThrow(
      'genkit did not say that its tests are completed; its last lines: Accept our cookies first..',
    );
  });

  test('that does not end is ended', async () => {
    await expect(runGenkitCli(start('sleep 60'), { ...options, timeoutMs: 300 })).rejects.toThrow(
      'genkit did not end within 300 ms',
    );
  });

  test('that is not installed, or not granted, is told', () => {
    const cwd = aFolder();
    const [missing] = genkitCliProblems(
      aStart({ cwd, entry: path.join(FIXTURES, 'fake-module.mjs'), command: ['node'] }),
    );
    expect(missing).toMatch(/^There is no program genkit;/);
    const granted = { ...aStart().permissions, run: ['node'] };
    const given = start('exit 0');
    const place = path.join(given.cwd, 'node_modules', '.bin', 'genkit');
    expect(genkitCliProblems({ ...given, permissions: granted })).toEqual([
      `The program ${place} needs --allow-run=${place}.`,
    ]);
  });
});

function writeScript(file: string, script: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
