import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeKeys } from '../../src/release/signing-keys.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

const SETTINGS = '[release]\ntier = "dev"\ncandidate = { name = "greeter", version = "1" }\n';
const RUN = ['release', 'run', 'a.toml', 'attack.toml'];

function aProject(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cwd = aFolder();
  const files = {
    'a.toml': aGreeting(),
    'attack.toml': aGreeting({ name: 'attack', top: 'suite = "adversarial"\n[attack]\nowasp = ["ASI01"]' }),
    'passk.toml': SETTINGS,
    'release.key': makeKeys().privateKey,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  return { cwd, env: {} };
}

test('a release is run in parts without a key, and merged into the record of one run', async () => {
  const { cwd, env } = aProject();
  const run = (args: readonly string[]) => runPassk([...RUN, ...args], { cwd, env });
  for (const part of [1, 2]) {
    const { status, stdout, stderr } = await run(['--shard', `${part}/2`, '--out', `${part}.shard`]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Written to ${part}.shard; passk release run --merge makes the record of all shards.`);
  }
  expect(existsSync(path.join(cwd, 'release-log.jsonl'))).toBe(false);
  const signed = ['--key', 'release.key', '--as-of', '2026-11-25'];
  const whole = await run([...signed, '--out', 'whole.json']);
  const merged = await run(['--merge', '2.shard', '1.shard', ...signed, '--out', 'merged.json']);
  expect([merged.status, merged.stderr]).toEqual([whole.status, '']);
  const read = (file: string): EvalResult => JSON.parse(readFileSync(path.join(cwd, file), 'utf8')) as EvalResult;
  expect(read('merged.json').body).toEqual(read('whole.json').body);
});

test('a part of a release takes nothing that says something of the whole', async () => {
  const { cwd, env } = aProject();
  const run = (args: readonly string[]) => runPassk([...RUN, ...args], { cwd, env });
  const part = ['--shard', '1/2', '--out', '1.shard'];
  for (const [flag, value] of [
    ['--prior', 'last.json'],
    ['--merge', '1.shard'],
    ['--candidate-version', '2'],
  ] as const) {
    const { status, stderr } = await run([...part, flag, value]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${flag} says something of a whole release`)]);
  }
  const gated = await run([...part, '--reporter', 'markdown']);
  expect([gated.status, gated.stderr]).toEqual([
    2,
    expect.stringContaining('--reporter says something of a whole run'),
  ]);
  const missing = await run(['--merge', 'none.shard', '--key', 'release.key', '--out', 'release.json']);
  expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('none.shard cannot be read')]);
  expect(existsSync(path.join(cwd, 'release.json'))).toBe(false);
});
