import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';

const PRECIOUS = 'precious\n';

/** Every way to have a file written, by the flags that ask for it. */
const WAYS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  ...Object.fromEntries(
    ['text', 'json', 'reference-json', 'ndjson', 'junit', 'tap', 'markdown', 'html', 'github'].map((reporter) => [
      reporter,
      (file: string) => ['-r', `${reporter}:${file}`],
    ]),
  ),
  shard: (file) => ['--shard', '1/1', '--out', file],
  baseline: (file) => ['--save-baseline', file],
  cassette: (file) => ['--record', file],
};

/** A stranger's repository in which links stand where reports are written, and a file of the user's beside it. */
function aPlace(): { readonly cwd: string; readonly target: string } {
  const base = aFolder();
  const cwd = path.join(base, 'repository');
  mkdirSync(cwd);
  const target = path.join(base, 'precious');
  writeFileSync(target, PRECIOUS);
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  return { cwd, target };
}

describe.each(Object.entries(WAYS))('%s', (_, flags) => {
  test('is put in the place of a link, and what the link leads to stays as it is', async () => {
    const { cwd, target } = aPlace();
    symlinkSync(target, path.join(cwd, 'out'));
    const { status } = await runPassk(['run', 'a.toml', '--workers', '0', ...flags('out')], { cwd });
    const isWritten = !lstatSync(path.join(cwd, 'out')).isSymbolicLink();
    // A cassette is no report: it is refused where something stands already.
    expect([status, isWritten, readFileSync(target, 'utf8')]).toEqual(
      flags('')[0] === '--record' ? [2, false, PRECIOUS] : [0, true, PRECIOUS],
    );
  });
});

test.each([
  ['a run', []],
  ['--resume', ['--resume']],
])('a journal whose files are links is put in their place or refused: %s', async (_, more) => {
  const { cwd, target } = aPlace();
  for (const link of ['run.journal', 'run.journal.lock']) {
    const folder = path.join(cwd, link);
    mkdirSync(folder);
    symlinkSync(target, path.join(folder, link));
    await runPassk(['run', 'a.toml', '--workers', '0', '--journal', link, ...more], { cwd });
    expect([link, readFileSync(target, 'utf8')]).toEqual([link, PRECIOUS]);
  }
});
