import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Whether something ends in time. It goes on either way; its failure counts as an end. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => true,
      ),
      sleep(ms, false, { signal: timer.signal }).catch(() => false),
    ]);
  } finally {
    timer.abort();
  }
}

const ROUNDS = 5;

/**
 * The same for what comes out of pipes that are full already. A thread that was busy for longer than `ms` has not looked into
 * them meanwhile, so the time is given in pieces, with a look between them.
 */
export async function withinTurns(ms: number, work: Promise<unknown>): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    if (await within(ms / ROUNDS, work)) return true;
    await nextTurn();
  }
  return false;
}
