// `npm start`: installs if needed, builds if stale, runs the shipped corpus.
// `npm start -- <args>`: flags go to that run; anything else (`validate corpus`, `my.toml`) is a passk command line of its own.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';

const entry = new URL('../dist/bin/passk.cjs', import.meta.url);
const ALONE = new Set(['--help', '-h', '--version', '-V']);

try {
  await ensureInstalled();
  const { build } = await import('./build.mjs');
  await build({ ifStale: true });
  const given = process.argv.slice(2);
  const first = given[0] ?? '--';
  const args = !first.startsWith('-') || ALONE.has(first) ? given : ['run', 'corpus', ...given];
  process.argv = [process.execPath, fileURLToPath(entry), ...args];
  await import(entry.href);
} catch (error) {
  process.stderr.write(`passk: ${error.message}\n`);
  process.exitCode = 2;
}
