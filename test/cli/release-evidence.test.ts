import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeKeys } from '../../src/release/signing-keys.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

const SETTINGS = `
paths = ["attack.toml"]
[release]
tier = "dev"
rates = "rates.toml"
candidate = { name = "greeter", version = "1" }
[release.billing]
file = "bill.csv"
amount = "Amount due"
only = { Project_Name = "greeter" }
item = "Model_Name"
items = { Big_One = "default" }
kinds = ["model", "tool"]
[release.tiers.dev]
trials = 4
`;

test('release run says what was found of its files: expectations that assert nothing, and files that nobody reads', async () => {
  const cwd = aFolder();
  const idle = aGreeting({ name: 'idle' }).replace(/\[expected\][\s\S]*/, '[expected]\n');
  writeFileSync(path.join(cwd, 'a.toml'), idle);
  mkdirSync(path.join(cwd, 'runs'));
  writeFileSync(path.join(cwd, 'runs/runs.csv'), 'task,passed\na,true\n');
  writeFileSync(path.join(cwd, 'runs/others.bin'), 'x');
  const env = { PASSK_RELEASE_KEY: makeKeys().privateKey };
  const release = ['release', 'run', 'a.toml', '--evidence', 'runs', '--tier', 'dev', '--candidate-version', '1'];
  const { status, stderr } = await runPassk([...release, '--out', 'release.json'], { cwd, env });
  expect(status).toBe(3);
  expect(stderr).toContain('warning: The scenario asserts nothing.');
  expect(stderr).toContain('"others.bin" is of no format that passk reads.');
  expect(stderr).not.toContain('Nobody says what recorded runs must reach');
});

test('release run takes finished evidence beside the paths of the command line, and the bill that its settings name', async () => {
  const cwd = aFolder();
  const files = {
    'a.toml': aGreeting(),
    'attack.toml': aGreeting({ name: 'attack', top: 'suite = "adversarial"\n[attack]\nowasp = ["ASI01"]' }),
    'passk.toml': SETTINGS,
    'rates.toml': 'id = "r"\neffective = "2026-11-01"\n',
    'bill.csv': 'Project_Name,Model_Name,Amount due\ngreeter,Big_One,0\nother,Big_One,7\n',
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  const env = { PASSK_RELEASE_KEY: makeKeys().privateKey };
  const run = async (args: readonly string[]): Promise<EvalResult['body']> => {
    const { stdout, stderr } = await runPassk(['release', 'run', '--json', ...args], { cwd, env });
    expect(stderr).not.toContain('passk:');
    return (JSON.parse(stdout) as EvalResult).body;
  };
  // What the settings name runs where there is nothing else.
  expect((await run(['--out', 'attack.json'])).scenarios.map(({ name }) => name)).toEqual(['attack']);
  const body = await run(['a.toml', '--evidence', 'attack.json', '--out', 'release.json']);
  expect(body.scenarios.map(({ name }) => name).sort()).toEqual(['attack', 'greeting']);
  // In a folder a record would be a file of no format: neither its trials nor its verdict counted.
  mkdirSync(path.join(cwd, 'finished/old'), { recursive: true });
  for (const end of ['', '.trials'])
    copyFileSync(path.join(cwd, `attack.json${end}`), path.join(cwd, `finished/old/a.json${end}`));
  const inFolder = ['release', 'run', 'a.toml', '--evidence', 'finished', '--out', 'folder.json'];
  const refused = await runPassk(inFolder, { cwd, env });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('finished holds the record finished/old/a.json');
  expect(refused.stderr).toContain('Give --evidence finished/old/a.json');
  expect(body.billing).toMatchObject({
    rows: 1,
    billedNanoUsd: '0',
    kinds: ['model', 'tool'],
    items: [{ name: 'default', billedNanoUsd: '0', ledgerNanoUsd: '0', difference: null }],
  });
  const alone = await run(['--evidence', 'release.json', '--out', 'alone.json', '--billing', 'bill.csv']);
  expect(alone.merged?.map(({ scenarios }) => scenarios)).toEqual([2]);
  expect((await runPassk(['release', 'verify', 'alone.json', '--recompute'], { cwd })).status).toBe(0);
});
