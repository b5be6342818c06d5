import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PasskError } from '../../src/errors.ts';
import type { Executor } from '../../src/pool/executor.ts';
import { createHybridExecutor } from '../../src/pool/hybrid-executor.ts';
import { type IsSettled, stoppingEarly, StopTracker } from '../../src/pool/blocks/stop-tracker.ts';
import { verdictsOf } from '../../src/pool/tally/tally-codec.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, merged } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

let worker: Awaited<ReturnType<typeof buildFakeWorker>>;
let executors: readonly Executor[];

beforeAll(async () => {
  worker = await buildFakeWorker();
  const threads = (workers: number, maxClaim?: number): Executor =>
    createWorkersExecutor({ workers, workerUrl: worker.url, ...(maxClaim !== undefined && { maxClaim }) });
  const hybrid = (workers: number): Executor =>
    createHybridExecutor({ workers, compile: compileFake, workerUrl: worker.url });
  executors = [threads(1), threads(2), threads(3, 1), threads(2, 5), hybrid(0), hybrid(2)];
});
afterAll(async () => {
  await Promise.all(executors.map((executor) => executor.close()));
  worker.remove();
});

/** Each scenario of the plan up to its lowest block by which it is settled, from the run of everything. */
async function expected(plan: RunPlan, isSettled: IsSettled): Promise<Delta[]> {
  const all: Delta[] = [];
  for await (const delta of (executors[0] as Executor).run(plan, { separate: true })) all.push(delta);
  return plan.scenarios.flatMap(({ index }) => {
    const counts = { passed: 0, failed: 0, broken: 0 };
    const kept: Delta[] = [];
    const own = all.filter(({ scenario }) => scenario === index).sort((a, b) => a.fromBlock - b.fromBlock);
    for (const delta of own) {
      kept.push(delta);
      const { passed, failed, broken } = verdictsOf(delta.tally);
      counts.passed += passed;
      counts.failed += failed;
      counts.broken += broken;
      if (isSettled(index, counts)) break;
    }
    return kept;
  });
}

/** Trials of one block where none waits: few, as each plan is run once more by each executor. */
const BLOCK = 256;

test('each scenario ends at the same block with the same bytes, whoever runs it', async () => {
  const scenario = fc.record({
    io: fc.boolean(),
    blocks: fc.integer({ min: 1, max: 40 }),
    failEvery: fc.integer({ min: 0, max: 30 }),
    most: fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(scenario, { minLength: 1, maxLength: 5 }), async (given) => {
      const plan = aRunPlan(
        given.map(({ io, blocks, failEvery }) =>
          io
            ? { io, trials: blocks, failEvery }
            : { trials: blocks * BLOCK - 7, failEvery: (failEvery * BLOCK) / 4, blockSize: BLOCK },
        ),
      );
      const isSettled: IsSettled = (index, { passed, failed }) => {
        const { io = false, most = [1, 1] } = given[index] ?? {};
        const unit = io ? 1 : BLOCK;
        return passed >= most[0] * unit || failed >= most[1] * (io ? 1 : 4);
      };
      const wanted = bytesOf(merged(plan, await expected(plan, isSettled)));
      for (const executor of executors) {
        expect(bytesOf(await collect(stoppingEarly(executor, isSettled), plan))).toEqual(wanted);
      }
    }),
    { numRuns: 25 },
  );
});

describe('a tracker', () => {
  const aDelta = (fromBlock: number, toBlock = fromBlock + 1): Delta => ({
    scenario: 0,
    fromBlock,
    toBlock,
    tally: new Uint8Array(),
  });

  test('refuses blocks that were put together', () => {
    expect(() => new StopTracker(() => false).accept(aDelta(0, 2))).toThrow(PasskError);
  });

  test('tells who listens what is closed, before and after', async () => {
    const plan = aRunPlan([{ trials: 3 * 4096, failEvery: 0 }]);
    const deltas: Delta[] = [];
    for await (const delta of (executors[0] as Executor).run(plan, { separate: true })) deltas.push(delta);
    const tracker = new StopTracker((_scenario, { passed }) => passed >= 8192);
    const heard: string[] = [];
    const stopHearing = tracker.onClose((scenario, block) => heard.push(`first ${scenario} ${block}`));
    const order = [deltas[2], deltas[0], deltas[1]].filter((delta) => delta !== undefined);
    expect(order.map((delta) => tracker.accept(delta).map(({ fromBlock }) => fromBlock))).toEqual([[], [0], [1]]);
    tracker.onClose((scenario, block) => heard.push(`later ${scenario} ${block}`));
    stopHearing();
    expect({ heard, closedAt: tracker.closedAt(0), open: tracker.closedAt(1) }).toEqual({
      heard: ['first 0 2', 'later 0 2'],
      closedAt: 2,
      open: Number.POSITIVE_INFINITY,
    });
  });
});

test('trials that were begun beyond the stop are told to end', async () => {
  const plan = aRunPlan([{ io: true, trials: 8, failEvery: 0, neverAnswerAt: [3, 4, 5] }]);
  const executor = stoppingEarly(executors[0] as Executor, (_scenario, { passed }) => passed >= 3);
  const [tally] = await collect(executor, plan);
  expect(tally?.executed).toBe(3);
});
