import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

function inFolder(): string {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  return cwd;
}

test('--gate adds a condition to the verdict and may be given several times', async () => {
  const cwd = inFolder();
  const held = await runPassk(['a.toml', '--gate', 'pass^8 >= 0.9', '--gate', 'suite.broken == 0'], { cwd });
  expect([held.status, held.stderr]).toEqual([0, '']);
  expect(held.stdout).toContain('✓ pass  pass^8 >= 0.9\n');
  const missed = await runPassk(['a.toml', '--gate', 'pass_rate.lower(0.95) >= 0.9'], { cwd });
  // Eight of eight neither prove the bar nor refute it.
  expect(missed.status).toBe(3);
  expect(missed.stdout).toContain('! open  pass_rate.lower(0.95) >= 0.9\n');
  const refuted = await runPassk(['a.toml', '--gate', 'pass_rate.upper(0.95) <= 0.5'], { cwd });
  expect(refuted.status).toBe(1);
  const open = await runPassk(['a.toml', '--gate', 'pass^9 >= 0.9'], { cwd });
  expect(open.status).toBe(3);
});

test('gates that cannot be used end it with 2 and their places, before a trial has run', async () => {
  const { status, stdout, stderr } = await runPassk(
    ['a.toml', '--trials', '1000000000', '--gate', 'pas_rate >= 0.9', '--gate', 'pass_rate => 0.9'],
    { cwd: inFolder() },
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatchInlineSnapshot(`
    "passk: Gate 1, column 1: There is no metric "pas_rate".
      1 | pas_rate >= 0.9
        | ^~~~~~~~
      Did you mean "pass_rate"?
    passk: Gate 2, column 11: There is no comparison "=>".
      1 | pass_rate => 0.9
        |           ^~
      Write >=.
    "
  `);
});

test('merge judges the gates of the whole run', async () => {
  const cwd = inFolder();
  for (const part of ['1', '2']) await runPassk(['a.toml', '--shard', `${part}/2`, '--out', `${part}.shard`], { cwd });
  const merged = await runPassk(['merge', '1.shard', '2.shard', '--gate', 'pass_rate.lower >= 0.9', '--json'], { cwd });
  const whole = await runPassk(['a.toml', '--gate', 'pass_rate.lower >= 0.9', '--json'], { cwd });
  expect([merged.status, JSON.parse(merged.stdout).gate]).toEqual([3, JSON.parse(whole.stdout).gate]);
  const misplaced = await runPassk(['a.toml', '--shard', '1/2', '--out', 'x', '--gate', 'broken == 0'], { cwd });
  expect([misplaced.status, misplaced.stderr.split('\n')[0]]).toEqual([
    2,
    'passk: --gate says something of a whole run; a part has no verdict and no report.',
  ]);
});

test('plan runs nothing and prints what bars and gates can tell, as text and as JSON', async () => {
  const cwd = inFolder();
  const args = ['plan', 'a.toml', '--trials', '1000000', '--gate', 'pass_rate >= 0.999', '--false-pass', '0.01'];
  const text = await runPassk(args, { cwd });
  expect([text.status, text.stderr]).toEqual([0, '']);
  expect(text.stdout).toContain('1 bar, 1,000,000 trials; nothing was run.\n');
  const json = await runPassk([...args, '--json'], { cwd });
  const plan = JSON.parse(json.stdout);
  expect([plan.schema, plan.trials, plan.gates[0].needed.bad]).toEqual(['passk-plan/1', 1_000_000, 0.998]);
});
