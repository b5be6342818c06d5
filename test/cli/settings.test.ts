import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/index.ts';
import { aFolder, aGreeting, type Ended, type RunOptions, runPassk } from './run-passk.ts';

/** A project: scenarios in `suite/`, a configuration file above, a folder deep inside to run from. */
function aProject(files: Readonly<Record<string, string>>): { readonly root: string; readonly deep: string } {
  const root = aFolder();
  const deep = path.join(root, 'a', 'b');
  for (const folder of [deep, path.join(root, 'suite'), path.join(root, '.git')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(root, 'suite', 'greeting.toml'), aGreeting());
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return { root, deep };
}

async function reportOf(args: readonly string[], options: RunOptions): Promise<SuiteReport> {
  const { stdout, stderr } = await runPassk([...args, '--json'], options);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as SuiteReport;
}

/** Key, value and origin of what is set somewhere. */
function settled({ stdout }: Ended): readonly unknown[] {
  const settings = JSON.parse(stdout) as readonly { key: string; value: unknown; from: string }[];
  return settings.filter(({ from }) => from !== 'default').map(({ key, value, from }) => [key, value, from]);
}

test('passk.toml is found upwards, its paths are relative to it, and flags win over variables over it', async () => {
  const { deep } = aProject({ 'passk.toml': 'paths = ["suite"]\ntrials = 5\nseed = 3\nworkers = 0\n' });
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<readonly number[]> => {
    const { seed, summary } = await reportOf(args, { cwd: deep, env });
    return [summary.trials.requested, seed];
  };
  expect(await run([])).toEqual([5, 3]);
  expect(await run([], { PASSK_TRIALS: '6' })).toEqual([6, 3]);
  expect(await run(['--trials', '7'], { PASSK_TRIALS: '6', PASSK_SEED: '4' })).toEqual([7, 4]);
});

test('config prints every value with the place it comes from', async () => {
  const { deep } = aProject({
    'passk.toml': 'paths = ["suite"]\n\ngates = ["broken == 0"]\nreporters = ["json:out.json"]\nbail = true\n',
  });
  const env = { PASSK_TAG: 'a; b', PASSK_KEEP_GOING: '1', PASSK_BAIL: '0' };
  const shown = await runPassk(['config', '--trials', '9', '--json'], { cwd: deep, env });
  expect(settled(shown)).toEqual([
    ['paths', ['../../suite'], '../../passk.toml:1'],
    ['trials', 9, 'command line'],
    ['tags', ['a', 'b'], 'PASSK_TAG'],
    ['gates', ['broken == 0'], '../../passk.toml:3'],
    ['bail', 0, 'PASSK_BAIL'],
    ['reporters', ['json:../../out.json'], '../../passk.toml:4'],
    ['keepGoing', true, 'PASSK_KEEP_GOING'],
  ]);
  const text = await runPassk(['config'], { cwd: deep });
  expect(text.stdout).toMatch(/^setting +value +from\npaths +\["\.\.\/\.\.\/suite"\] +\.\.\/\.\.\/passk\.toml:1$/m);
  expect(text.stdout).toMatch(/^seed +0 +default$/m);
});

test('a configuration module is the same in camelCase', async () => {
  const { deep } = aProject({
    'passk.config.mjs': 'export default { paths: ["suite"], minPassRate: 0.5, trials: 4 };\n',
  });
  const { gate, summary } = await reportOf(['--trust'], { cwd: deep });
  expect([gate.minPassRate, summary.trials.requested]).toEqual([0.5, 4]);
});

test('passk.toml is no scenario of its folder, and plug-ins are found from it', async () => {
  const { root, deep } = aProject({ 'passk.toml': 'plugins = ["rep.mjs"]\nreporters = ["shout"]\n' });
  const reporter =
    "{ kind: 'reporter', type: 'shout', summary: 'Shouts.', render: (report) => report.gate.verdict.toUpperCase() }";
  writeFileSync(path.join(root, 'rep.mjs'), `export const shout = ${reporter};\n`);
  expect(await runPassk(['--trust'], { cwd: root })).toMatchObject({ status: 0, stdout: 'PASS', stderr: '' });
  expect(await runPassk(['../../suite/*.toml', '--trust'], { cwd: deep })).toMatchObject({
    status: 0,
    stdout: 'PASS',
    stderr: '',
  });
});

test('misspelt keys, wrong values and bad gates of a file are refused together, each with its place', async () => {
  const { root } = aProject({
    'passk.toml': 'trails = 5\nmin_pass_rate = 95\ngates = ["broken == 0", "pas_rate >= 0.9"]\n',
  });
  const { status, stdout, stderr } = await runPassk(['suite'], { cwd: root });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatchInlineSnapshot(`
    "error: "trails" is not a known key.
      --> passk.toml:1:1
      1 | trails = 5
        | ^~~~~~
      2 | min_pass_rate = 95
      help: Did you mean "trials"?

    error: "min_pass_rate" must be at least 0 and at most 1, not 95.
      --> passk.toml:2:17
      1 | trails = 5
      2 | min_pass_rate = 95
        |                 ^~
      3 | gates = ["broken == 0", "pas_rate >= 0.9"]
      help: The pass rate that every scenario must reach.

    error: gates[1]: There is no metric "pas_rate".
      --> passk.toml:3:26
      2 | min_pass_rate = 95
      3 | gates = ["broken == 0", "pas_rate >= 0.9"]
        |                          ^~~~~~~~
      help: Did you mean "pass_rate"?

    3 errors in 1 file.

    passk: passk.toml cannot be used; nothing was run.
    "
  `);
});

test('a bad gate in a file is shown at its place', async () => {
  const { root } = aProject({ 'passk.toml': 'gates = ["broken == 0", "pas_rate >= 0.9"]\n' });
  const { status, stderr } = await runPassk(['suite'], { cwd: root });
  expect(status).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "error: gates[1]: There is no metric "pas_rate".
      --> passk.toml:1:26
      1 | gates = ["broken == 0", "pas_rate >= 0.9"]
        |                          ^~~~~~~~
      help: Did you mean "pass_rate"?

    1 error in 1 file.

    passk: passk.toml cannot be used; nothing was run.
    "
  `);
});

test('a misspelt key of a module is refused with the file and what was meant', async () => {
  const { root } = aProject({ 'passk.config.mjs': 'export default { trails: 5 };\n' });
  const { status, stderr } = await runPassk(['suite', '--trust'], { cwd: root });
  expect(status).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "error: "trails" is not a known key.
      --> passk.config.mjs
      help: Did you mean "trials"?

    1 error in 1 file.

    passk: passk.config.mjs cannot be used; nothing was run.
    "
  `);
});

test.each([
  [{ PASSK_TRIALS: 'many' }, 'passk: PASSK_TRIALS=many: Expected a whole number of at least 1.\n'],
  [{ PASSK_SAMPLER: 'dice' }, 'passk: PASSK_SAMPLER=dice: Allowed choices are seeded, reference, exhaustive.\n'],
  [{ PASSK_BAIL: 'perhaps' }, 'passk: PASSK_BAIL=perhaps: Expected a whole number of at least 0.\n'],
  [
    { PASSK_TRAILS: '5' },
    'passk: There is no flag for the environment variable PASSK_TRAILS.\nDid you mean PASSK_TRIALS?\n',
  ],
])('a variable that cannot be used is refused: %o', async (env, message) => {
  const { root } = aProject({});
  const { status, stderr } = await runPassk(['suite'], { cwd: root, env });
  expect([status, stderr]).toEqual([2, message]);
});

test('reports of the file are those of a run: trace prints its own', async () => {
  const { root } = aProject({ 'passk.toml': 'reporters = ["json:report.json"]\n' });
  const { status, stdout } = await runPassk(['trace', 'suite/greeting.toml'], { cwd: root });
  expect([status, stdout.split('\n', 1)]).toEqual([0, ['greeting, trial 0: passed']]);
});

test('one part of a run leaves bars and reports of the file to merge', async () => {
  const { root } = aProject({ 'passk.toml': 'min_pass_rate = 0.5\nreporters = ["json"]\ngates = ["broken == 0"]\n' });
  const { status } = await runPassk(['suite', '--shard', '1/1', '--out', '1.shard'], { cwd: root });
  expect(status).toBe(0);
  const merged = await runPassk(['merge', '1.shard'], { cwd: root });
  const { gate } = JSON.parse(merged.stdout);
  expect([gate.minPassRate, gate.expressions.length, merged.stderr]).toEqual([0.5, 1, '']);
  const other = await runPassk(['merge', '1.shard', '--gate', 'failed == 0'], { cwd: root });
  expect(other.stderr).toBe(
    'passk: warning: A gate of passk.toml:3 is not judged: --gate takes the place of them all.\n',
  );
});

test('the search ends at the root of the repository, and two files in one folder are refused', async () => {
  const { root } = aProject({ 'passk.toml': 'trials = 5\n' });
  mkdirSync(path.join(root, 'suite', '.git'));
  const { stdout } = await runPassk(['config', '--json'], { cwd: path.join(root, 'suite') });
  expect(settled({ status: 0, signal: null, stdout, stderr: '' })).toEqual([]);
  writeFileSync(path.join(root, 'passk.config.js'), 'export default {};\n');
  const { status, stderr } = await runPassk(['config'], { cwd: root });
  expect([status, stderr.startsWith('passk: There are both passk.toml and passk.config.js in ')]).toEqual([2, true]);
});

test('forecasts, prices and resuming stand in the file, and a flag with prices replaces those of the file', async () => {
  const toml = [
    'paths = ["suite"]',
    'forecast_runs_per_day = [1000, 5000]',
    'journal = "runs"',
    'resume = true',
    '[prices]',
    'input = 3',
    'output = 15',
  ];
  const { root, deep } = aProject({ 'passk.toml': toml.join('\n') });
  const { forecast } = await reportOf([], { cwd: deep });
  expect(forecast?.rows.map(({ runsPerDay }) => runsPerDay)).toEqual([1000, 5000]);
  expect(forecast?.prices).toEqual({ input: 3, output: 15 });
  expect(existsSync(path.join(root, 'runs'))).toBe(true);
  const flagged = await reportOf(['--price-per-mtok', '5'], { cwd: deep });
  expect(flagged.forecast?.prices).toEqual({ input: 5, output: 5 });
  const shard = await runPassk(['--shard', '1/2', '--out', 'a.shard', '--journal', 'part'], { cwd: deep });
  expect(shard).toMatchObject({ status: 0, stderr: '' });
});

test('a price that is not one is an error with its place', async () => {
  const { deep } = aProject({ 'passk.toml': 'paths = ["suite"]\n[prices]\ninput = -3\noutptu = 15\n' });
  const { status, stderr } = await runPassk([], { cwd: deep });
  expect(status).toBe(2);
  expect(stderr).toMatch(/passk\.toml:3/);
  expect(stderr).toMatch(/output/);
});

test('settings in TypeScript count where Node runs it, and are told where it does not', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  writeFileSync(path.join(cwd, 'passk.config.ts'), 'const trials: number = 5;\nexport default { trials };\n');
  const { status, stdout, stderr } = await runPassk(['a.toml', '--json', '--trust'], { cwd });
  if ('typescript' in process.features && process.features.typescript !== false) {
    expect(JSON.parse(stdout).summary.trials.executed).toBe(5);
  } else {
    expect(status).toBe(2);
    expect(stderr).toContain(
      `passk.config.ts cannot be loaded: Node ${process.versions.node} does not run TypeScript.`,
    );
  }
});
