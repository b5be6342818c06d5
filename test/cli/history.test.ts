import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { HistoryTrend } from '../../src/index.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

function aProject(settings = ''): {
  readonly cwd: string;
  readonly passk: (...args: string[]) => Promise<Ended>;
} {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'deep'));
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  writeFileSync(path.join(cwd, 'passk.toml'), settings);
  return { cwd, passk: (...args) => runPassk([...args], { cwd }) };
}

test('runs are kept when told to, and history shows them with what changed between', async () => {
  const { cwd, passk } = aProject('history = ".passk/history"\nworkers = 0\n');
  await passk('a.toml');
  await passk('a.toml', '--seed', '3');
  await passk('a.toml', '--no-history');
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ lastNode: 'greet' }));
  expect((await passk('a.toml')).status).toBe(1);
  // From a folder below, by the settings above it.
  const { status, stdout, stderr } = await runPassk(['history'], { cwd: path.join(cwd, 'deep') });
  const day = new Date().toISOString().slice(0, 4);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.replaceAll(new RegExp(`${day}-\\d\\d-\\d\\d`, 'g'), 'DAY')).toBe(
    [
      '  scenario  pass rate                                 last               tokens',
      '✗ greeting  █│█│▁                                     0.00 [0.00, 0.32]       0',
      '    3 runs · first DAY · failed first: trials 0, 1, 2 · 1 flip ·',
      '    scenario changed 1 time · seed changed 2 times',
      '',
    ].join('\n'),
  );
  const trends = JSON.parse((await runPassk(['history', '--json'], { cwd })).stdout) as readonly HistoryTrend[];
  // Of runs that lost nothing there is nothing to say.
  expect(trends[0]?.points.map(({ failedFirst }) => failedFirst)).toEqual([undefined, undefined, [0, 1, 2]]);
  const shown = await runPassk(['history', 'show', 'latest'], { cwd, env: { COLUMNS: '100' } });
  expect(shown.stdout).toContain('8 trials · failed first: trials 0, 1, 2 · 0 tokens');
  const ascii = await runPassk(['history'], { cwd, env: { LANG: 'C' } });
  expect(ascii.stdout.split('\n')[1]).toContain('#|#|_');
});

test('show, --json and prune work on the same runs', async () => {
  const { cwd, passk } = aProject();
  for (const seed of ['1', '2', '3']) await passk('a.toml', '--history', 'kept', '--seed', seed);
  const trends = JSON.parse((await passk('history', 'greet', '--history', 'kept', '--limit', '2', '--json')).stdout);
  expect((trends as readonly HistoryTrend[]).map(({ runs, points }) => [runs, points.length])).toEqual([[3, 2]]);
  const shown = await passk('history', 'show', 'latest', '--history', 'kept');
  expect(shown.stderr).toBe('');
  expect(shown.stdout).toMatch(/^Run [0-9a-f]{12} · .*gate passed · seed 3/);
  expect(shown.stdout).toContain('✓ greeting  1.00 [0.68, 1.00] · 8 trials · 0 tokens');
  writeFileSync(
    path.join(cwd, 'shop.toml'),
    'name = "shop"\ntrials = 1\n[generate]\nfamily = "repair_shop"\ncount = 1\n',
  );
  const unknown = await passk('history', 'nope', '--history', 'kept');
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain('No scenario of the runs in kept has such a name.');
  expect(await passk('history', 'nope', '--history', 'kept', '--json')).toMatchObject({ status: 2, stdout: '[]\n' });
  // There was none since then: nothing is wrong with the question.
  expect((await passk('history', 'greet', '--history', 'kept', '--since', '2999-01-01')).status).toBe(0);
  await passk('shop.toml', '--history', 'kept');
  expect((await passk('history', 'show', 'latest', '--history', 'kept')).stdout).toMatch(
    /\n {2}Generated shop: set\n? *[0-9a-f]{64}\n$/,
  );
  expect((await passk('history', 'prune', '--keep', '1', '--history', 'kept')).stdout).toBe('3 runs deleted.\n');
  expect(readdirSync(path.join(cwd, 'kept'))).toHaveLength(1);
});

test.each([
  [['history', 'show', 'zz'], 2, 'No run is called "zz".'],
  [
    ['history', '--since', 'yesterday'],
    2,
    'Expected a date such as 2026-01-31, a time with its zone, or 12h, 30d, 8w.',
  ],
  [['history', '--since', '2026-02-31'], 2, "option '--since <time>' argument '2026-02-31' is invalid"],
  [['history', 'prune'], 2, "required option '--keep <n>' not specified"],
  [['history', '/(/'], 2, 'The name pattern /(/ is not a pattern'],
  [['history'], 0, '.passk/history holds no run; passk run --history .passk/history keeps one.'],
  [['history', 'deep'], 0, '"deep" was taken for a part of a name; a folder is --history deep.'],
])('%j ends with %i and says why', async (args, status, message) => {
  const ended = await aProject().passk(...args);
  expect({ status: ended.status, stdout: ended.stdout }).toEqual({ status, stdout: '' });
  expect(ended.stderr).toContain(message);
});

test('settings name baseline, history and journal; --no-baseline passes one over', async () => {
  const { cwd, passk } = aProject('baseline = "base.json"\nsave_baseline = "base.json"\njournal = "log"\n');
  expect((await passk('a.toml')).stderr).toContain('The baseline base.json cannot be read');
  expect((await passk('a.toml', '--no-baseline')).status).toBe(0);
  const { stdout } = await passk('a.toml');
  expect(stdout).toContain('Drift (evidence): 0 regressions');
  expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'base.json', 'deep', 'log', 'passk.toml']);
  const part = await passk('a.toml', '--shard', '1/2', '--out', '1.shard', '--journal', 'other');
  expect({ status: part.status, stderr: part.stderr }).toEqual({ status: 0, stderr: '' });
});
