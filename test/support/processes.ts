import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes that a process has started; [] where the system does not tell. */
export function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** True as soon as none of them lives, false when some do after ten seconds. */
export async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let waited = 0; waited < 10_000; waited += 50) {
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
