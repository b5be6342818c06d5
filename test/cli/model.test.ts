import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { CONFORM, says, specsIn } from '../suites/model/a-spec.ts';
import { runPassk } from './run-passk.ts';

const GOOD = `- model: echo/good\n  tests:${says('hello')}`;
const WRONG = `- model: echo/wrong\n  supports: [multiturn]\n  tests:${says('hello')}`;

describe('passk model check', () => {
  test('tests all plug-ins of conform.toml, or those that are named, and exits with their verdict', async () => {
    const cwd = specsIn({ fine: GOOD, off: WRONG }, CONFORM.replace('echo = []', 'fine = []\noff = []'));
    const all = await runPassk(['model', 'check', '--allow-run', '--json'], { cwd });
    const { results } = JSON.parse(all.stdout) as SuiteReport;
    expect([all.status, results.map(({ name, verdict }) => [name, verdict])]).toEqual([
      1,
      [
        ['fine', 'passed'],
        ['off', 'failed'],
      ],
    ]);
    const one = await runPassk(['model', 'check', 'fine', '--allow-run'], { cwd });
    expect([one.status, one.stdout.includes('echo/good  ✓ pass')]).toEqual([0, true]);
  });

  test('says what it needs, and what a word may have meant', async () => {
    const cwd = specsIn({ echo: GOOD });
    const ungranted = await runPassk(['model', 'check'], { cwd });
    expect([ungranted.status, ungranted.stderr]).toEqual([2, expect.stringContaining('--allow-run=')]);
    const runner = await runPassk(['model', 'check', '--runner', 'reflexion'], { cwd });
    expect([runner.status, runner.stderr]).toEqual([2, expect.stringContaining('Did you mean "reflection"?')]);
    const filtered = await runPassk(['model', 'check', '--name', 'nothing'], { cwd });
    expect([filtered.status, filtered.stderr]).toEqual([2, expect.stringContaining('`passk model list` shows them.')]);
    const misspelt = await runPassk(['model', 'check', 'ecko'], { cwd });
    expect([misspelt.status, misspelt.stderr]).toEqual([2, expect.stringContaining('Did you mean "echo"?')]);
  });

  test('--only-failed asks what did not pass before, and --dry-run asks nothing', async () => {
    const cwd = specsIn({ fine: GOOD, off: WRONG }, CONFORM.replace('echo = []', 'fine = []\noff = []'));
    const before = await runPassk(['model', 'check', '--allow-run', '-r', 'json:before.json', '-q'], { cwd });
    expect(before.status).toBe(1);
    const again = ['model', 'check', '--only-failed', 'before.json'];
    const { stdout } = await runPassk([...again, '--allow-run', '--json'], { cwd });
    const { results } = JSON.parse(stdout) as SuiteReport;
    const cells = results.flatMap((one) => (one.kind === 'model' ? one.cells : []));
    expect(cells.map(({ model, test: id }) => `${model} ${id}`)).toEqual([
      'echo/wrong multiturn',
      'echo/wrong says hello',
    ]);
    // Without any grant, since nothing is started.
    const dry = await runPassk([...again, '--dry-run'], { cwd });
    expect([dry.status, dry.stdout.includes('echo/wrong'), dry.stdout.includes('echo/good')]).toEqual([0, true, false]);
    const named = await runPassk(['model', 'list', '--name', 'says hello', '--json'], { cwd });
    const listed = JSON.parse(named.stdout) as readonly { readonly tests: readonly { readonly id: string }[] }[];
    expect(listed.flatMap(({ tests }) => tests.map(({ id }) => id))).toEqual(['says hello', 'says hello']);
  });

  test('--concurrency means plug-ins, and what the plug-in says gives way to -t', async () => {
    const cwd = specsIn({ echo: GOOD });
    const { status } = await runPassk(['model', 'check', '--allow-run', '--concurrency', '1', '-t', '1', '-q'], {
      cwd,
    });
    expect(status).toBe(0);
    const wrong = await runPassk(['model', 'check', '--max-retries', 'two'], { cwd });
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('Expected a whole number')]);
    expect(wrong.stderr).toContain('passk model check --help lists its flags.');
  });
});

test('help speaks of tests and plug-ins, not of scenarios', async () => {
  for (const command of ['check', 'list', 'lint']) {
    const { stdout } = await runPassk(['model', command, '--help'], { cwd: specsIn({}) });
    const lines = stdout.split('\n').filter((line) => /scenario|workflow/.test(line));
    // What does not concern models says whom it concerns.
    expect(lines.filter((line) => !/--allow-(?:read|write)|--stop-early/.test(line))).toEqual([]);
  }
});

test('--verbose says how much is asked, without scenarios where there are none', async () => {
  const cwd = specsIn({ echo: GOOD });
  const { stderr } = await runPassk(['model', 'check', '--allow-run', '--verbose', '-j', '1'], { cwd });
  expect(stderr).toBe('passk: 1 trial, 1 worker\npassk: model echo: passed\n');
});

test('--tag chooses tests by their capability', async () => {
  const cwd = specsIn({ echo: WRONG });
  const { stdout } = await runPassk(['model', 'list', '--tag', 'multiturn', '--json'], { cwd });
  const listed = JSON.parse(stdout) as readonly { readonly tests: readonly { readonly id: string }[] }[];
  const checked = await runPassk(['model', 'check', '--tag', 'multiturn', '--allow-run', '--json'], { cwd });
  const { results } = JSON.parse(checked.stdout) as SuiteReport;
  const cells = results.flatMap((one) => (one.kind === 'model' ? one.cells : []));
  expect([listed.length, cells.map(({ test: id }) => id)]).toEqual([1, ['multiturn']]);
});

test('passk model list has each model with each of its tests', async () => {
  const cwd = specsIn({ echo: WRONG });
  const { status, stdout } = await runPassk(['model', 'list', '--json'], { cwd });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      plugin: 'echo',
      runtime: 'js',
      model: 'echo/wrong',
      missingEnv: [],
      tests: [
        { id: 'multiturn', capability: 'multiturn', stream: false, validators: ['text-includes:Genkit'] },
        { id: 'says hello', capability: null, validators: ['text-includes:hello'] },
      ],
    },
  ]);
});

describe('passk model lint', () => {
  test('a file alone is checked alone: what is not there to run it is a warning, unless --strict', async () => {
    const cwd = specsIn({ echo: GOOD }, '[conform]\n');
    const file = 'specs/echo/model-conformance.yaml';
    const lax = await runPassk(['model', 'lint', file, '--json'], { cwd });
    expect([lax.status, JSON.parse(lax.stdout)]).toMatchObject([0, { errors: 0, warnings: 1 }]);
    const strict = await runPassk(['model', 'lint', file, '--strict'], { cwd });
    expect([strict.status, strict.stdout]).toEqual([2, expect.stringContaining('error: Nobody says how')]);
  });

  test('--start starts each entry with consent, and ends it', async () => {
    const cwd = specsIn({ echo: GOOD });
    const without = await runPassk(['model', 'lint', '--start'], { cwd });
    expect([without.status, without.stdout]).toEqual([2, expect.stringContaining('needs --allow-run=')]);
    const text = await runPassk(['model', 'lint', '--start', '--allow-run'], { cwd });
    expect([text.status, text.stdout.replaceAll(/\d+\.\d s/g, 'n s')]).toEqual([
      0,
      'plug-in  runtime  runner      entry\necho     js       in-process  started in n s\n1 model with 1 test: no error.\n',
    ]);
    const json = await runPassk(['model', 'lint', '--start', '--allow-run', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      entries: [{ plugin: 'echo', runtime: 'js', runner: 'in-process', seconds: expect.any(Number), problems: [] }],
    });
    writeFileSync(path.join(cwd, 'specs', 'echo', 'entry.mjs'), 'throw new Error("\\u001b[31mno package");');
    const broken = await runPassk(['model', 'lint', '--start', '--allow-run'], { cwd });
    expect(broken.status).toBe(2);
    expect(broken.stdout).toContain('does not start in js by in-process: The entry module is not ready: The module');
    expect(broken.stdout).toContain('conform.toml:7:19');
    expect(broken.stdout).not.toContain('\u001b');
  });

  test('every problem of a file is shown with its line', async () => {
    const cwd = specsIn({ echo: '- model: a/b\n  supports: [tool-requst]\n  strem: true\n' });
    const { status, stdout } = await runPassk(['model', 'lint'], { cwd });
    expect(status).toBe(2);
    expect(stdout).toContain('model-conformance.yaml:2:14');
    expect(stdout).toContain('Did you mean "tool-request"?');
    expect(stdout).toContain('model-conformance.yaml:3:3');
  });
});

test('a conform.toml elsewhere is heeded by every command', async () => {
  const cwd = specsIn({});
  const elsewhere = specsIn({ echo: GOOD });
  const conform = `${elsewhere}/conform.toml`;
  const listed = await runPassk(['model', 'list', '--conform', conform, '--json'], { cwd });
  expect([listed.status, (JSON.parse(listed.stdout) as readonly unknown[]).length]).toEqual([0, 1]);
  const linted = await runPassk(['model', 'lint', '--conform', conform], { cwd });
  expect([linted.status, linted.stdout]).toEqual([0, '1 model with 1 test: no error.\n']);
  const checked = await runPassk(['model', 'check', '--conform', conform, '--allow-run', '-q'], { cwd });
  expect(checked.status).toBe(0);
});
