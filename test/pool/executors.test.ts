import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Executor, ExecutorRunOptions, RunProgress } from '../../src/pool/executor.ts';
import { createHybridExecutor, type HybridExecutorOptions } from '../../src/pool/hybrid-executor.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, merged } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

let worker: Awaited<ReturnType<typeof buildFakeWorker>>;
const open: Executor[] = [];

beforeAll(async () => {
  worker = await buildFakeWorker();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});
afterAll(() => worker.remove());

function inline(): Executor {
  const executor = createInlineExecutor({ compile: compileFake });
  open.push(executor);
  return executor;
}

function hybrid(options: Partial<HybridExecutorOptions> = {}): Executor {
  const executor = createHybridExecutor({ workers: 2, compile: compileFake, workerUrl: worker.url, ...options });
  open.push(executor);
  return executor;
}

function threads(workers: number, maxClaim?: number): Executor {
  const executor = createWorkersExecutor({
    workers,
    workerUrl: worker.url,
    ...(maxClaim === undefined ? {} : { maxClaim }),
  });
  open.push(executor);
  return executor;
}

async function list(executor: Executor, plan: RunPlan, options: ExecutorRunOptions = {}): Promise<Delta[]> {
  const deltas: Delta[] = [];
  for await (const { scenario, fromBlock, toBlock, tally } of executor.run(plan, options)) {
    deltas.push({ scenario, fromBlock, toBlock, tally });
  }
  return deltas;
}

describe('every executor', () => {
  const plan = aRunPlan([{ trials: 9000 }, { trials: 50_000 }, { trials: 5 }]);

  test('gives the same bytes for only some of the blocks', async () => {
    const blocks = [
      { scenario: 0, fromBlock: 1, toBlock: 2 },
      { scenario: 1, fromBlock: 0, toBlock: 1 },
      { scenario: 1, fromBlock: 3, toBlock: 5 },
      { scenario: 1, fromBlock: 12, toBlock: 13 },
      { scenario: 2, fromBlock: 0, toBlock: 1 },
    ];
    const expected = bytesOf(await collect(inline(), plan, { blocks }));
    for (const executor of [threads(2, 3), hybrid(), hybrid({ workers: 0 })]) {
      expect(bytesOf(await collect(executor, plan, { blocks }))).toEqual(expected);
    }
  });

  test('tells progress that rises to the total', async () => {
    for (const executor of [inline(), threads(2), hybrid()]) {
      const told: RunProgress[] = [];
      await collect(executor, plan, { onProgress: (progress) => told.push(progress) });
      expect(told.at(-1)).toEqual({ done: 59_005, total: 59_005, failed: 5900 });
      expect(told).toEqual([...told].sort((a, b) => a.done - b.done));
    }
  });

  test('runs one plan after another and refuses to run once closed', async () => {
    for (const executor of [inline(), threads(2), hybrid()]) {
      const first = bytesOf(await collect(executor, plan));
      expect(bytesOf(await collect(executor, plan))).toEqual(first);
      await executor.close();
      await expect(collect(executor, plan)).rejects.toMatchObject({ code: 'POOL' });
    }
  });

  test('ends early without an error when it is aborted, with whole blocks only', async () => {
    const slow = aRunPlan([
      { trials: 4 * 4096, busyMs: 0.05 },
      { trials: 4096, busyMs: 0.05 },
    ]);
    for (const executor of [inline(), threads(2), hybrid()]) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 250);
      const deltas = await list(executor, slow, { signal: stop.signal });
      const executed = merged(slow, deltas).reduce((sum, tally) => sum + tally.executed, 0);
      expect(executed).toBeLessThan(5 * 4096);
      expect(executed % 4096).toBe(0);
    }
  });

  test('stops when its reader leaves, and can run again', async () => {
    for (const executor of [inline(), threads(2)]) {
      for await (const delta of executor.run(plan)) {
        expect(delta.scenario).toBe(0);
        break;
      }
      expect((await collect(executor, plan)).map((tally) => tally.executed)).toEqual([9000, 50_000, 5]);
    }
  });

  test('bails at the same block with the same bytes', async () => {
    const failing = aRunPlan([
      { trials: 3 * 4096, failEvery: 0 },
      { trials: 10 * 4096, failEvery: 20_000 },
      { trials: 5 * 4096 },
    ]);
    const wanted = await list(inline(), failing, { bail: 1 });
    expect(wanted.map(({ scenario, fromBlock, toBlock }) => [scenario, fromBlock, toBlock])).toEqual([
      [0, 0, 1],
      [0, 1, 2],
      [0, 2, 3],
      [1, 0, 1],
      [1, 1, 2],
      [1, 2, 3],
      [1, 3, 4],
      [1, 4, 5],
    ]);
    for (const executor of [threads(1), threads(2), threads(3, 1), hybrid(), hybrid({ workers: 0 })]) {
      expect(await list(executor, failing, { bail: 1 })).toEqual(wanted);
    }
    // The first scenario that fails runs to its end, for the second one decides.
    const both = await list(inline(), failing, { bail: 2 });
    expect(both.map(({ scenario, fromBlock }) => [scenario, fromBlock]).slice(wanted.length - 1)).toEqual([
      ...[4, 5, 6, 7, 8, 9].map((block) => [1, block]),
      [2, 0],
    ]);
    for (const executor of [threads(1), threads(2), threads(3, 1), hybrid(), hybrid({ workers: 0 })]) {
      expect(await list(executor, failing, { bail: 2 })).toEqual(both);
    }
  });
});

describe('the hybrid executor', () => {
  test('starts no worker for little work', async () => {
    const executor = hybrid({ workerUrl: new URL('file:///nowhere.js') });
    expect((await collect(executor, aRunPlan([{ trials: 20_000 }])))[0]?.executed).toBe(20_000);
  });

  test('hands over what is worth it, with the same bytes', async () => {
    const plan = aRunPlan([{ trials: 4096 }, { trials: 80_000, busyMs: 0.005 }, { trials: 10_000 }]);
    expect(bytesOf(await collect(hybrid(), plan))).toEqual(bytesOf(await collect(inline(), plan)));
    const lost = hybrid({ workerUrl: new URL('file:///nowhere.js') });
    await expect(collect(lost, plan)).rejects.toMatchObject({ code: 'POOL' });
  });

  test('sends code of the user to a worker even without workers', async () => {
    const plan = aRunPlan([{ trials: 100, userCode: true, exitAt: [50] }, { trials: 100 }]);
    const [mine, other] = await collect(hybrid({ workers: 0 }), plan);
    expect([mine?.broken, mine?.executed, other?.executed]).toEqual([1, 100, 100]);
  });
});

describe('a scenario with a trial that takes long', () => {
  const long = { trials: 5 * 4096, workAt: { trial: 10_000, units: 2 ** 40 } };
  const plan = aRunPlan([{ trials: 9000 }, long, { trials: 9000 }]);

  test.each([0, 2])('goes to a worker, with the same bytes and progress to the total: %i workers', async (workers) => {
    const expected = bytesOf(await collect(threads(1), plan));
    const told: RunProgress[] = [];
    let started = 0;
    const options = { onProgress: (progress: RunProgress) => told.push(progress), onWorkers: () => started++ };
    expect(bytesOf(await collect(hybrid({ workers }), plan, options))).toEqual(expected);
    expect(started).toBe(1);
    expect(told.at(-1)).toEqual({ done: 38_480, total: 38_480, failed: 3848 });
    expect(told).toEqual([...told].sort((a, b) => a.done - b.done));
  });

  test('bails at the same block', async () => {
    const failing = aRunPlan([{ ...long, failEvery: 9000 }, { trials: 5000 }]);
    const wanted = await list(threads(2), failing, { bail: 1 });
    expect(wanted.map(({ scenario, toBlock }) => [scenario, toBlock])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    expect(await list(hybrid({ workers: 0 }), failing, { bail: 1 })).toEqual(wanted);
  });

  test('keeps the results of its blocks before the long trial, be they flushed or not', async () => {
    for (const separate of [true, false]) {
      const deltas = await list(hybrid({ workers: 0 }), plan, { separate });
      expect(bytesOf(merged(plan, deltas))).toEqual(bytesOf(await collect(threads(1), plan)));
    }
  });

  test('is refused by the inline executor', async () => {
    await expect(collect(inline(), plan)).rejects.toMatchObject({
      code: 'POOL',
      message: 'A trial of scenario "s1" takes too long for the calling thread.',
    });
  });

  test('is no scenario whose trials take long only together', async () => {
    const short = aRunPlan([{ trials: 9000, work: 20_000 }]);
    const here = hybrid({ workers: 0, workerUrl: new URL('file:///nowhere.js') });
    expect(bytesOf(await collect(here, short))).toEqual(bytesOf(await collect(threads(1), short)));
  });
});

test('the inline executor refuses code of the user', async () => {
  await expect(collect(inline(), aRunPlan([{ trials: 1, userCode: true }]))).rejects.toMatchObject({ code: 'POOL' });
});

test('two executors run at the same time', async () => {
  const plan = aRunPlan([{ trials: 200_000 }]);
  const [a, b] = await Promise.all([collect(threads(1), plan), collect(threads(1), plan)]);
  expect(bytesOf(a)).toEqual(bytesOf(b));
});

test('two runs that are started together on one executor take turns', async () => {
  const plan = aRunPlan([{ trials: 100_000 }]);
  const executor = threads(2);
  const [a, b] = await Promise.all([collect(executor, plan), collect(executor, plan)]);
  expect(bytesOf(a)).toEqual(bytesOf(b));
});

test('programs call functions of the host', async () => {
  const seen: unknown[] = [];
  const executor = createWorkersExecutor({
    workers: 2,
    workerUrl: worker.url,
    hostFunctions: {
      ask: (payload) => {
        seen.push(payload);
        return payload;
      },
    },
  });
  open.push(executor);
  const plan = aRunPlan(
    [
      { trials: 20, io: true, askHost: 'ask' },
      { trials: 2, io: true, askHost: 'other' },
    ],
    ['ask'],
  );
  const [good, bad] = await collect(executor, plan);
  expect([good?.executed, good?.broken, seen.length]).toEqual([20, 0, 20]);
  expect(bad?.lowestBroken[0]?.cause).toBe(
    'threw Error "Function "other" does not exist. Known functions: ask." while running this trial',
  );
});

test('a script that closes its executor ends by itself', async () => {
  const built = fileURLToPath(new URL('../../dist/src/pool/workers-executor.js', import.meta.url));
  const script = `
    import { createWorkersExecutor } from ${JSON.stringify(built)};
    const plan = ${JSON.stringify(aRunPlan([{ trials: 50_000, userCode: true, exitAt: [7] }]))};
    const executor = createWorkersExecutor({ workers: 2, workerUrl: new URL(${JSON.stringify(worker.url.href)}) });
    let deltas = 0;
    for await (const delta of executor.run(plan)) deltas++;
    await executor.close();
    process.on('exit', () => console.log(deltas > 0, process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')));
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 120_000,
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'true []\n', stderr: '' });
});
