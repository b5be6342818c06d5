import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import type { FileLayer } from './file-layer.ts';
import { codeOf } from '../values/file-problem.ts';
import { writeFully } from './write-file-whole.ts';

/** How long a process that was just killed may take to disappear. */
const PATIENCE_MS = 2000;

/**
 * Keeps two runs from writing one journal. The lock of a process that has died is taken over; that of another machine
 * too, since nobody can ask whether it is alive. Resolves to what releases it.
 */
export async function lockJournal(file: string, files: FileLayer): Promise<() => Promise<void>> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await created(file, files))) {
    const holder = await holderOf(file, files);
    if (holder === null) await files.remove(file);
    else if (performance.now() < giveUpAt) await sleep(100);
    else {
      throw new PasskError('USAGE', `Process ${holder} is writing this journal.`, {
        hint: `Wait for it or stop it; if it is no passk, remove ${file}.`,
      });
    }
  }
  return () => files.remove(file);
}

async function created(file: string, files: FileLayer): Promise<boolean> {
  try {
    const lock = await files.open(file, 'wx');
    try {
      const text = `${process.pid} ${startOf(process.pid) ?? ''} ${hostname()}\n`;
      await writeFully(lock, new TextEncoder().encode(text), 0);
    } finally {
      await lock.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The living process of this machine that holds the lock; null when there is none. */
async function holderOf(file: string, files: FileLayer): Promise<number | null> {
  let text = '';
  try {
    for await (const piece of files.read(file)) text += new TextDecoder().decode(piece);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const [, pid, start, host] = /^(\d+) (\d*) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined || host !== hostname() || Number(pid) === process.pid) return null;
  return isAlive(Number(pid), start ?? '') ? Number(pid) : null;
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be asked, but it is there.
    if (codeOf(error) !== 'EPERM') return false;
  }
  // The number may have gone to another process since.
  const now = startOf(pid);
  return now === null ? start === '' : start === '' || now === start;
}

/** When a process began, in the kernel's ticks; null where that cannot be known, or for one that is dead and not yet buried. */
function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    // The name in brackets may hold anything, brackets too.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
