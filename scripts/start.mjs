// `npm start`: installs if needed, builds if stale, runs the shipped corpus. Without arguments a sound scenario and a fragile
// one go first, because two lines show what passk is for, and of the corpus stand counts and verdict alone.
// `npm start -- <args>`: flags go to that run; anything else (`validate corpus`, `my.toml`) is a passk command line of its own.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';

const entry = new URL('../dist/bin/passk.cjs', import.meta.url);
const FIRST = ['corpus/reliability/robust-router.toml', 'corpus/reliability/fragile-router.toml'];
const ALONE = new Set(['--help', '-h', '--version', '-V']);

try {
  await ensureInstalled();
  const { build } = await import('./build.mjs');
  await build({ ifStale: true });
  const given = process.argv.slice(2);
  if (given.length === 0) {
    process.stdout.write('A sound workflow and a fragile one:\n\n');
    spawnSync(process.execPath, [fileURLToPath(entry), 'run', ...FIRST], { stdio: 'inherit' });
    process.stdout.write('\nThe whole corpus, `npm start -- corpus` for its report:\n\n');
  }
  const [first = '--quiet', ...others] = given;
  const isCommand = !first.startsWith('-') || ALONE.has(first);
  const args = isCommand ? given : ['run', 'corpus', first, ...others];
  process.argv = [process.execPath, fileURLToPath(entry), ...args];
  await import(entry.href);
} catch (error) {
  process.stderr.write(`passk: ${error.message}\n`);
  process.exitCode = 2;
}
