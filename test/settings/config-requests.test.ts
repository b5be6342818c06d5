import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configRequests, loadConfig } from '../../src/index.ts';
import { aFolder } from '../cli/run-passk.ts';

function aRepository(files: Readonly<Record<string, string>>): string {
  const root = aFolder();
  mkdirSync(path.join(root, '.git'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  return root;
}

test('files of [release] outside of the repository need an answer, each by itself', async () => {
  const release = `[release]
rates = "link/rates.toml"
log = "../log.jsonl"
issue_sink = ".git/config"
billing = { file = "bill.csv" }
`;
  const root = aRepository({ 'passk.toml': release });
  symlinkSync('/', path.join(root, 'link'));
  const config = await loadConfig({ cwd: root });
  expect(config === null ? [] : configRequests(config, root)).toEqual([
    {
      key: 'release.rates',
      wants: 'read files outside of the repository',
      value: 'link/rates.toml',
      from: 'passk.toml:2',
    },
    { key: 'release.log', wants: 'write files outside of the repository', value: '../log.jsonl', from: 'passk.toml:3' },
    {
      key: 'release.issueSink',
      wants: 'write files outside of the repository',
      value: '.git/config',
      from: 'passk.toml:4',
    },
  ]);
});

test.each(['rates = ".npmrc"', 'billing = { file = ".npmrc" }'])(
  '%s under [release] is refused: messages would show its lines',
  async (line) => {
    const root = aRepository({ 'passk.toml': `[release]\n${line}\n`, '.npmrc': '//a.test/:_authToken=s3cr3t\n' });
    await expect(loadConfig({ cwd: root })).rejects.toMatchObject({ code: 'INPUT' });
  },
);
