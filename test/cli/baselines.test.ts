import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

/** A folder with a scenario that passes, and a way to run passk in it. */
function aSuite(): {
  readonly cwd: string;
  readonly write: (lastNode?: string) => void;
  readonly passk: (...args: string[]) => Promise<Ended>;
} {
  const cwd = aFolder();
  const write = (lastNode = 'done'): void =>
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ lastNode, top: 'min_pass_rate = 0' }));
  write();
  return { cwd, write, passk: (...args) => runPassk(args, { cwd }) };
}

test('a run is saved whole, and a later one that lost trials fails with exit code 1', async () => {
  const { cwd, write, passk } = aSuite();
  expect(await passk('a.toml', '--save-baseline', 'base.json')).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'base.json']);
  write('greet');
  expect((await passk('a.toml')).status).toBe(0);
  const { status, stdout, stderr } = await passk('a.toml', '--baseline', 'base.json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  const from = stdout.indexOf('Drift');
  expect(stdout.slice(from, stdout.indexOf('seed 0', from)).split('\n')).toEqual([
    'Drift (evidence): 1 regression',
    '✗ DOWN    greeting  1.00 → 0.00 · of 8 same trials, 8 lost and 0 gained ·',
    '          scenario changed',
    '    failed first: trials 0, 1, 2',
    '  ! 1 of 1 compared scenarios is not what it was when the baseline was made.',
    '  Mean change of the pass rate over 1 scenario: −1.00.',
    '',
    '✗ Gate FAILED',
    '  greeting: pass rate went down from 1.00 to 0.00, 8 of 8 same trials lost and 0',
    '  gained, and nothing in it is drawn. Failed first: trials 0, 1, 2.',
    '',
    '',
  ]);
});

test('the same path is compared with and then overwritten, also when the run fails', async () => {
  const { write, passk } = aSuite();
  await passk('a.toml', '--save-baseline', 'base.json');
  write('greet');
  const both = ['a.toml', '--baseline', 'base.json', '--save-baseline', 'base.json'];
  expect((await passk(...both)).status).toBe(1);
  expect((await passk(...both)).status).toBe(0);
});

test.each([
  ['is not there', null, 'passk: The baseline base.json cannot be read: there is no such file or folder.'],
  ['is not JSON', '{', 'passk: The baseline base.json is not JSON.'],
  ['is something else', '{}', 'passk: base.json is no baseline: '],
])('a baseline that %s ends it with exit code 2 before anything runs', async (_name, text, message) => {
  const { cwd, passk } = aSuite();
  if (text !== null) writeFileSync(path.join(cwd, 'base.json'), text);
  const { status, stdout, stderr } = await passk('a.toml', '--trials', '1000000000', '--baseline', 'base.json');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test.each([
  [['--save-baseline', 'a.toml/base.json'], 'The baseline cannot be written to a.toml/base.json'],
  [['--price-per-mtok', '5'], '--price-per-mtok is for a forecast, but no rate is given.'],
  [
    ['--forecast-runs-per-day', '10', '--price-per-mtok', '5', '--prices', 'p.toml'],
    '--price-per-mtok and --prices exclude each other.',
  ],
  [['--forecast-runs-per-day', '10', '--price', 'inptu=5'], 'There is no price "inptu".'],
  [['--forecast-runs-per-day', '-1'], 'Expected a number from 0.'],
  [['--drift', 'strict'], '--drift does nothing without --baseline.'],
  [['--drift-margin', '0.1'], 'Add --baseline <file>, or leave --drift-margin out.'],
  [['--token-tolerance', '0.5', '--no-baseline'], '--token-tolerance does nothing without --baseline.'],
  [['--drift-comparisons', '30'], '--drift-comparisons does nothing without --baseline.'],
  [['--drift', 'strct'], 'Allowed choices are evidence, strict.'],
  [['--shard', '1/2', '--out', 'x', '--save-baseline', 'b.json'], '--save-baseline says something of a whole run'],
])('%j is refused with exit code 2 and says why', async (args, message) => {
  const { status, stdout, stderr } = await aSuite().passk('a.toml', ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('rules of a comparison wait in settings and variables for a baseline, which a file may name', async () => {
  const { cwd, passk } = aSuite();
  writeFileSync(path.join(cwd, 'passk.toml'), 'drift = "strict"\ndrift_margin = 0.1\n');
  expect((await runPassk(['a.toml'], { cwd, env: { PASSK_TOKEN_TOLERANCE: '0.5' } })).status).toBe(0);
  await passk('a.toml', '--save-baseline', 'base.json');
  writeFileSync(path.join(cwd, 'passk.toml'), 'baseline = "base.json"\n');
  expect((await passk('a.toml', '--drift', 'strict')).stdout).toContain('Drift (strict): 0 regressions');
});

test('a forecast takes several rates and prices from a file', async () => {
  const { cwd, passk } = aSuite();
  writeFileSync(path.join(cwd, 'prices.toml'), '[prices]\ninput = 3\noutput = 15\nbatch = 2\n');
  const { status, stdout } = await passk(
    'a.toml',
    '--json',
    '--forecast-runs-per-day',
    '1000,5000',
    '--prices',
    'prices.toml',
  );
  const { forecast } = JSON.parse(stdout) as SuiteReport;
  expect(status).toBe(0);
  expect(forecast?.prices).toEqual({ input: 3, output: 15, batch: 2 });
  expect(
    forecast?.rows.map(({ runsPerDay, usdPerMonth }) => [runsPerDay, usdPerMonth.map(({ payment }) => payment)]),
  ).toEqual([
    [1000, ['standard', 'batch']],
    [5000, ['standard', 'batch']],
  ]);
});

test('shards that are merged save the baseline of one run, and are compared as one', async () => {
  const { cwd, passk } = aSuite();
  await passk('a.toml', '--trials', '9000', '--save-baseline', 'whole.json');
  for (const i of [1, 2]) await passk('a.toml', '--trials', '9000', '--shard', `${i}/2`, '--out', `${i}.shard`);
  const { status, stdout } = await passk(
    'merge',
    '1.shard',
    '2.shard',
    '--baseline',
    'whole.json',
    '--save-baseline',
    'merged.json',
    '--json',
  );
  expect(status).toBe(0);
  expect((JSON.parse(stdout) as SuiteReport).drift).toMatchObject({
    verdict: 'pass',
    notes: [],
    scenarios: [{ test: 'exact_repeat' }],
  });
  const bytes = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');
  expect(bytes('merged.json')).toBe(bytes('whole.json'));
});
