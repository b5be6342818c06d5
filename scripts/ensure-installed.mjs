// Installs the development dependencies when, and only when, the lockfile asks for it.
// Uses nothing but Node, because it runs before anything is installed. Everything it says goes to stderr.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = path.join(ROOT, '.passk', 'lock-install');
const PATIENCE_MS = 10 * 60_000;

/** Leaves an installation at least as new as the lockfile; two processes at once do it once. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(LOCK, async () => {
    if (isInstalled()) return;
    process.stderr.write('passk: installing dependencies (npm ci)\n');
    await runNpmCi();
  });
}

/** Runs `action` while no other process holds the same lock; a lock whose owner died is taken over. */
export async function withLock(folder, action) {
  mkdirSync(path.dirname(folder), { recursive: true });
  const owner = path.join(folder, 'pid');
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned(folder, owner)) rmSync(folder, { recursive: true, force: true });
      else if (Date.now() > deadline) throw new Error(`Another process holds ${folder}. Delete it if that is not so.`);
      else await sleep(100);
    }
  }
  try {
    writeFileSync(owner, String(process.pid));
    return await action();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isInstalled() {
  const lockfile = path.join(ROOT, 'package-lock.json');
  const modules = path.join(ROOT, 'node_modules');
  const installed = path.join(modules, '.package-lock.json');
  // A link leads to what another checkout has installed, and npm ci would empty that one.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
}

function isAbandoned(folder, owner) {
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
    if (error.code !== 'ENOENT') return false;
    // Between mkdir and the write of the pid there is no owner; give it a moment.
    return existsSync(folder) && Date.now() - statSync(folder).mtimeMs > 5000;
  }
}

function runNpmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath ?? '';
  const viaNode = /npm-cli\.c?js$/.test(npm);
  const [command, prefix] = viaNode ? [process.execPath, [npm]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...prefix, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      shell: !viaNode && process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci ended with ${signal ?? `exit code ${code}`}. See its messages above.`));
    });
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled().catch((error) => {
    process.stderr.write(`passk: ${error.message}\n`);
    process.exitCode = 2;
  });
}
