// Measures other tools beside passk on work that is as alike as it gets, and says what each one executes.
// `npm run bench:peers` installs them into this folder on first use; they are never dependencies of passk.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { testPeers } from './tests.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({ options: { json: { type: 'string' }, rounds: { type: 'string', default: '3' } } });

if (!existsSync(path.join(HERE, 'node_modules'))) {
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: HERE,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The peers cannot be installed; see the messages of npm above.');
}
await build({ ifStale: true });
const scratch = mkdtempSync(path.join(HERE, 'run-'));
try {
  const passk = await import(pathToFileURL(path.join(HERE, '..', '..', 'dist', 'bin', 'index.js')).href);
  const context = { here: HERE, scratch, passk, rounds: Number(values.rounds) };
  // Imports what has just been installed.
  const { graphPeers } = await import('./graphs.mjs');
  const rows = [...(await testPeers(context)), ...(await graphPeers(context))];
  for (const { tool, executes, value, unit, ratio } of rows) {
    console.log(
      `${tool.padEnd(26)} ${show(value).padStart(10)} ${unit.padEnd(9)} ${(ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en')).padStart(8)}x  ${executes}`,
    );
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function show(value) {
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)} M`;
  return value >= 1e3 ? `${(value / 1e3).toPrecision(3)} k` : value.toPrecision(3);
}
