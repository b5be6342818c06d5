import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { within, withinTurns } from '../../../src/effects/granted/within.ts';

/** Whether a message is heard that stands ready before the thread is busy for longer than it is waited for. */
async function heard(wait: (ms: number, work: Promise<unknown>) => Promise<boolean>): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const message = once(port1, 'message');
  // Timers go first in the turn that follows.
  await nextTurn();
  const ended = wait(5, message);
  port2.postMessage('ready');
  for (const until = performance.now() + 20; performance.now() < until; );
  try {
    return await ended;
  } finally {
    port1.close();
  }
}

test('what stands in a pipe is read, however long the thread was busy', async () => {
  expect([await heard(within), await heard(withinTurns)]).toEqual([false, true]);
});

test('what never comes is waited for no longer than said', async () => {
  expect(await withinTurns(5, new Promise(() => undefined))).toBe(false);
});
