import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

const CHILD = `name = "child"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "done"
type = "terminate"
`;
const BY_PATH = `name = "by-path"
[workflow]
path = "flows/child.toml"
[trigger]
kind = "manual"
[expected]
status = "completed"
`;

/** A repository with one scenario of its own, and one whose workflow is another file. */
function aRepository(): { readonly cwd: string; readonly run: (...args: readonly string[]) => Promise<Ended> } {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'flows'));
  writeFileSync(path.join(cwd, 'flows/child.toml'), CHILD);
  writeFileSync(path.join(cwd, 'by-path.toml'), BY_PATH);
  writeFileSync(path.join(cwd, 'own.toml'), aGreeting({ name: 'own' }));
  const env = { XDG_CACHE_HOME: path.join(cwd, 'cache') };
  return { cwd, run: (...args) => runPassk(args, { cwd, env }) };
}

function git(cwd: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

function namesIn({ stdout }: Ended): readonly string[] {
  const { scenarios } = JSON.parse(stdout) as { readonly scenarios: readonly { readonly name: string }[] };
  return scenarios.map(({ name }) => name);
}

test('--last-failed runs the files that failed, until they pass', async () => {
  const { cwd, run } = aRepository();
  writeFileSync(path.join(cwd, 'own.toml'), aGreeting({ name: 'own', lastNode: 'greet' }));
  expect(namesIn(await run('run', '--json', '--last-failed'))).toEqual(['by-path', 'own']);
  const first = await run('run', '--last-failed');
  expect(first.status).toBe(1);
  expect(first.stdout).not.toContain('by-path');
  // What else runs meanwhile does not make it forgotten.
  await run('run', 'by-path.toml');
  expect(namesIn(await run('run', '--json', '--last-failed'))).toEqual(['own']);
  writeFileSync(path.join(cwd, 'own.toml'), aGreeting({ name: 'own' }));
  expect((await run('run', '--last-failed')).status).toBe(0);
  const after = await run('run', '--json', '--last-failed');
  expect(namesIn(after)).toEqual(['by-path', 'own']);
  expect(after.stderr).toContain('nothing failed last; all is run.');
});

test('--changed runs what differs from a commit, and what reads a file that does', async () => {
  const { cwd, run } = aRepository();
  git(cwd, 'init', '-q');
  writeFileSync(path.join(cwd, '.gitignore'), 'cache\n');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-q', '-m', 'first');
  const nothing = await run('run', '--changed');
  expect([nothing.status, nothing.stdout]).toEqual([0, '']);
  expect(nothing.stderr).toContain('no scenario reads what changed; nothing was run.');
  writeFileSync(path.join(cwd, 'flows/child.toml'), CHILD.replace('done', 'end'));
  expect(namesIn(await run('run', '--json', '--changed'))).toEqual(['by-path']);
  writeFileSync(path.join(cwd, 'new.toml'), aGreeting({ name: 'new' }));
  expect(namesIn(await run('run', '--json', '--changed'))).toEqual(['by-path', 'new']);
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-q', '-m', 'second');
  expect(namesIn(await run('run', '--json', '--changed=HEAD~1'))).toEqual(['by-path', 'new']);
  const unknown = await run('run', '--changed=nowhere');
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain('git cannot say what changed since nowhere');
});

test('--changed outside of a repository says so', async () => {
  const { run } = aRepository();
  const { status, stderr } = await run('run', '--changed');
  expect(status).toBe(2);
  expect(stderr).toContain('git cannot say what changed since HEAD');
});
