import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

test('certify --check looks at the files that were certified, whatever the settings run', async () => {
  const cwd = aFolder();
  const files = {
    'a.toml': aGreeting(),
    'b.toml': aGreeting({ name: 'other' }),
    'passk.toml': 'paths = ["b.toml"]\n',
    'release.key': makeKeys().privateKey,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  const run = async (args: readonly string[]) => (await runPassk(['certify', ...args], { cwd })).status;
  expect(await run(['a.toml', '--key', 'release.key', '--out', 'a.cert', '--log', 'log.jsonl'])).toBe(0);
  expect(await run(['--check', 'a.cert', '--log', 'log.jsonl'])).toBe(0);
  expect(await run(['--check', 'a.cert', 'b.toml'])).toBe(4);
  writeFileSync(path.join(cwd, 'a.toml'), `${aGreeting()}\n`);
  expect(await run(['--check', 'a.cert'])).toBe(4);
});
