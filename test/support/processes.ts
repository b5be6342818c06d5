import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes that any thread of a process has started; [] where the system does not tell. */
export function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
      return children.split(' ').filter(Boolean).map(Number);
    });
  } catch {
    return [];
  }
}

/** The processes that a process has started, with those that they have. */
export function descendantsOf(pid: number | undefined): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** What the system calls the program of a process; '' where it does not tell. */
export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** True as soon as none of them lives, false when some do after a minute. */
export async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (!pids.some(isAlive)) return true;
    await sleep(50);
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    // One that has ended and that nobody has asked about yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/**
 * Calls back as soon as a process has used so much processor time, which is when it is in the midst of its work
 * however busy the machine is; after as much time of the clock where the system does not tell.
 */
export function afterWork(pid: number | undefined, ms: number, then: () => void): void {
  if (processorMsOf(pid) === null) {
    setTimeout(then, ms);
    return;
  }
  const timer = setInterval(() => {
    const used = processorMsOf(pid);
    if (used !== null && used < ms) return;
    clearInterval(timer);
    then();
  }, 50);
}

/** Milliseconds of processor time that a process has used; null where that is not told, or it has ended. */
export function processorMsOf(pid: number | undefined): number | null {
  try {
    // Its name, in brackets, may hold anything; user and system time are the 14th and 15th field, in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
