import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInlineExecutor } from './inline-executor.ts';
import { RunLock } from '../../src/pool/run-lock.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

let worker: Awaited<ReturnType<typeof buildFakeWorker>>;

beforeAll(async () => {
  worker = await buildFakeWorker();
});
afterAll(() => worker.remove());

const PLAN = aRunPlan([
  { trials: 100 },
  { trials: 300_001 },
  { trials: 0 },
  { trials: 4096 },
  { trials: 20_000, userCode: false },
]);

test('any number of workers and any claim size give the same bytes as the calling thread', async () => {
  const inline = createInlineExecutor({ compile: compileFake });
  const expected = bytesOf(await collect(inline, PLAN));
  await inline.close();
  for (const [workers, maxClaim] of [
    [1, 4096],
    [2, 1],
    [3, 7],
    [2, 4096],
  ] as const) {
    const executor = createWorkersExecutor({ workers, maxClaim, workerUrl: worker.url });
    try {
      expect(bytesOf(await collect(executor, PLAN))).toEqual(expected);
    } finally {
      await executor.close();
    }
  }
});

test('a run that waits for its turn is given up with its signal, and who waits behind it keeps the order', async () => {
  const lock = new RunLock();
  const release = await lock.take();
  const stop = new AbortController();
  const waiting = lock.take(stop.signal);
  const order: string[] = [];
  const last = lock.take(new AbortController().signal).then(() => order.push('last'));
  stop.abort();
  expect(await waiting).toBe(null);
  order.push('first ends');
  release();
  await last;
  expect(order).toEqual(['first ends', 'last']);
});

test('a run that is stopped before its workers have started ends at once, whenever that is', async () => {
  const endless = aRunPlan([{ trials: 2 ** 40 }]);
  // Turns of the event loop after the run began.
  for (let turns = 0; turns < 12; turns++) {
    const executor = createWorkersExecutor({ workers: 1, workerUrl: worker.url });
    const stop = new AbortController();
    const run = collect(executor, endless, { signal: stop.signal });
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    stop.abort();
    expect(await run).toBeDefined();
    await executor.close();
  }
});
