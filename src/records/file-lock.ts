import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import { type FileLayer, nodeFiles } from './file-layer.ts';
import { codeOf } from '../values/file-problem.ts';
import { writeFully } from './write-file-whole.ts';

/** How long a process that was just killed may take to disappear. */
const PATIENCE_MS = 2000;

/** What the system says where files cannot have two names. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** Locks that this process holds. Its number in a file does not say so: a process before it may have had the same. */
const held = new Set<string>();

/**
 * Keeps two runs from writing one file, such as a `journal`. The lock of a process that has died is taken over; that of another
 * machine too, since nobody can ask whether it is alive. Resolves to what releases it.
 */
export async function lockFile(
  file: string,
  { files, noun }: { readonly files: FileLayer; readonly noun: string },
): Promise<() => Promise<void>> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  // Only what is on a real disk is the same for all who name it.
  const name = files === nodeFiles ? path.join(realpathSync(path.dirname(file)), path.basename(file)) : null;
  if (name !== null && held.has(name)) {
    throw new PasskError('USAGE', `Another run of this process is writing this ${noun}.`, {
      hint: 'Wait for it, or name another.',
    });
  }
  if (name !== null) held.add(name);
  const release = async (): Promise<void> => {
    if (name !== null) held.delete(name);
    await files.remove(file);
  };
  try {
    while (!(await created(file, files))) {
      const text = await textOf(file, files);
      const holder = holderIn(text);
      if (holder === null) await takeAway(file, text, files);
      else if (performance.now() < giveUpAt) await sleep(100);
      else {
        throw new PasskError('USAGE', `Process ${holder} is writing this ${noun}.`, {
          hint: `Wait for it or stop it; if it is no passk, remove ${file}.`,
        });
      }
    }
    return release;
  } catch (error) {
    if (name !== null) held.delete(name);
    throw error;
  }
}

/** False: there is one. It gets its name when it says whose it is: nobody may take it for one that was left behind. */
async function created(file: string, files: FileLayer): Promise<boolean> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeOwn(draft, files);
    await files.link(draft, file).catch((error: unknown) => {
      if (!NO_LINKS.includes(codeOf(error) ?? '')) throw error;
      return writeOwn(file, files);
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await files.remove(draft).catch(() => undefined);
  }
}

async function writeOwn(file: string, files: FileLayer): Promise<void> {
  const target = await files.open(file, 'wx');
  try {
    const text = `${process.pid} ${startOf(process.pid) ?? ''} ${hostname()}\n`;
    await writeFully(target, new TextEncoder().encode(text), 0);
  } finally {
    await target.close();
  }
}

/** Removes a lock that was left behind, unless somebody else did and has the file locked by now. */
async function takeAway(file: string, text: string | null, files: FileLayer): Promise<void> {
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await files.rename(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if ((await textOf(aside, files)) !== text) await files.link(aside, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && !NO_LINKS.includes(codeOf(error) ?? '')) throw error;
  } finally {
    await files.remove(aside);
  }
}

/** Null: there is none any more. */
async function textOf(file: string, files: FileLayer): Promise<string | null> {
  let text = '';
  try {
    for await (const piece of files.read(file)) text += new TextDecoder().decode(piece);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return text;
}

/** The living process of this machine that holds the lock of this text; null when there is none. */
function holderIn(text: string | null): number | null {
  const [, pid, start, host] = /^(\d+) (\d*) (.*)\n$/.exec(text ?? '') ?? [];
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
