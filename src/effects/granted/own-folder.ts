import { readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemCode } from './os-error-text.ts';
import { killLiving } from './living-trees.ts';
import { ownChildren, ProcessTree } from './process-tree.ts';

let swept: Promise<void> | null = null;

/**
 * Lends a new, empty, private folder for as long as the work takes. Its path has no links. Before the first one, what an
 * earlier passk left behind is ended.
 */
export async function inOwnFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  swept ??= sweepLeftovers();
  await swept;
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `${ownedHere()}${process.pid}-`)));
  try {
    return await work(folder);
  } finally {
    await remove(folder);
  }
}

/**
 * Ends what an earlier passk left running when it was killed itself, and removes its folders. Each folder names the
 * process it belongs to; those of living ones, of other users and of other containers are left alone.
 */
async function sweepLeftovers(): Promise<void> {
  if (process.platform !== 'linux') return;
  const top = await realpath(tmpdir());
  const prefix = ownedHere();
  for (const name of await readdir(top)) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const folder = path.join(top, name);
    const stats = await lstat(folder).catch(() => null);
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    await new ProcessTree(null, folder).end();
    // Another passk may be at it as well.
    await remove(folder).catch(() => undefined);
  }
}

/**
 * Ends the programs and MCP servers that this process and its workers have started and not ended yet, at once, and removes
 * their folders: for a handler of signals, before it ends the process. Elsewhere than on Linux only those of agents.
 */
export function endPrograms(): void {
  killLiving();
  if (process.platform !== 'linux') return;
  const top = realpathSync(tmpdir());
  const prefix = ownedHere();
  const owners = new Set([process.pid, ...ownChildren()]);
  for (const name of readdirSync(top)) {
    if (!name.startsWith(prefix) || !owners.has(Number.parseInt(name.slice(prefix.length), 10))) continue;
    const folder = path.join(top, name);
    const tree = new ProcessTree(null, folder);
    for (let round = 0; round < MOST_ROUNDS && tree.kill(); round++);
    try {
      // A worker that was ended removes nothing, and secrets may stand in there.
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // What cannot be removed now the next passk removes.
    }
  }
}

/** What forks as fast as it is killed is left to the next passk. */
const MOST_ROUNDS = 20;

// Process numbers mean something in one container only.
function ownedHere(): string {
  return `passk-run-${processSpace()}-`;
}

function processSpace(): string {
  if (process.platform !== 'linux') return '0';
  return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    // Folders in it may be locked against their owner.
    await unlock(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(path.join(folder, entry.name));
  }
}
