import { hostname } from 'node:os';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { codeOf, type FileLayer } from './file-layer.ts';
import { writeFully } from './write-file-whole.ts';

/**
 * Keeps two runs from writing one journal. The lock of a process that has died is taken over; that of another machine
 * too, since nobody can ask whether it is alive. Resolves to what releases it.
 */
export async function lockJournal(file: string, files: FileLayer): Promise<() => Promise<void>> {
  if (!(await created(file, files))) {
    const holder = await holderOf(file, files);
    if (holder !== null) {
      throw new PasskError('USAGE', `Process ${holder} is writing this journal.`, {
        hint: `Wait for it or stop it; if it is no passk, remove ${file}.`,
      });
    }
    await files.remove(file);
    await created(file, files);
  }
  return () => files.remove(file);
}

async function created(file: string, files: FileLayer): Promise<boolean> {
  try {
    const lock = await files.open(file, 'wx');
    try {
      await writeFully(lock, new TextEncoder().encode(`${process.pid} ${hostname()}\n`), 0);
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
  const [, pid, host] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined || host !== hostname() || Number(pid) === process.pid) return null;
  try {
    process.kill(Number(pid), 0);
    return Number(pid);
  } catch (error) {
    // Another user's process cannot be asked, but it is there.
    return codeOf(error) === 'EPERM' ? Number(pid) : null;
  }
}
