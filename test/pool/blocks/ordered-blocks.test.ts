import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Executor, ExecutorRunOptions } from '../../../src/pool/executor.ts';
import { createHybridExecutor } from '../../../src/pool/hybrid-executor.ts';
import { blocksOfShard } from '../../../src/pool/blocks/shard-blocks.ts';
import type { Json } from '../../../src/types/json.ts';
import type { RunPlan } from '../../../src/types/plan.ts';
import { aRunPlan, buildFakeWorker, collect, type FakeScenario } from '../a-run.ts';
import { compileFake } from '../fixtures/fake-program.ts';

let thread: Awaited<ReturnType<typeof buildFakeWorker>>;
let child: Awaited<ReturnType<typeof buildFakeWorker>>;

beforeAll(async () => {
  thread = await buildFakeWorker();
  child = await buildFakeWorker('process');
});
afterAll(() => {
  thread.remove();
  child.remove();
});

interface Asked {
  readonly scenario: number;
  readonly trial: number;
}

/** What a run asked of the host, in order, and how many calls of a group overlapped at most. */
async function run(
  plan: RunPlan,
  { workers, isolation = 'thread', concurrency = 8, ...options }: RunOptions,
): Promise<{ readonly asked: readonly Asked[]; readonly most: number; readonly executed: readonly number[] }> {
  const asked: Asked[] = [];
  let present = 0;
  let most = 0;
  const ask = async (payload: Json): Promise<Json> => {
    const call = payload as unknown as Asked;
    asked.push(call);
    const isOrdered = plan.scenarios[call.scenario]?.traits.orderGroup !== null;
    if (isOrdered) most = Math.max(most, ++present);
    // Later calls are sooner answered: nothing but waiting keeps them in order.
    await sleep(call.trial % 2 === 0 ? 4 : 1);
    if (isOrdered) present--;
    return null;
  };
  const executor: Executor = createHybridExecutor({
    workers,
    isolation,
    concurrency,
    compile: compileFake,
    workerUrl: isolation === 'thread' ? thread.url : child.url,
    hostFunctions: { ask },
  });
  onTestFinished(() => executor.close());
  const tallies = await collect(executor, plan, options);
  return { asked, most, executed: tallies.map((tally) => tally.executed) };
}

interface RunOptions extends ExecutorRunOptions {
  readonly workers: number;
  readonly isolation?: 'thread' | 'process';
  readonly concurrency?: number;
}

const asks = (trials: number, more: Partial<FakeScenario> = {}): FakeScenario => ({
  trials,
  io: true,
  failEvery: 0,
  askHost: 'ask',
  ...more,
});

const inOrder = (plan: RunPlan, group: number): readonly Asked[] =>
  plan.scenarios
    .filter(({ traits }) => traits.orderGroup === group)
    .flatMap(({ index, trials }) => Array.from({ length: trials }, (_, trial) => ({ scenario: index, trial })));

const ofGroup = (plan: RunPlan, asked: readonly Asked[], group: number): readonly Asked[] =>
  asked.filter(({ scenario }) => plan.scenarios[scenario]?.traits.orderGroup === group);

describe('scenarios of one order group', () => {
  const plan = aRunPlan(
    [
      asks(5, { orderGroup: 0 }),
      { trials: 9000 },
      asks(4),
      asks(6, { orderGroup: 0 }),
      asks(3, { orderGroup: 4 }),
      asks(2, { orderGroup: 0 }),
      asks(3, { orderGroup: 4 }),
    ],
    ['ask'],
  );

  test.each([
    { workers: 0 },
    { workers: 1, concurrency: 1 },
    { workers: 2, concurrency: 1 },
    { workers: 2 },
    { workers: 3 },
    { workers: 2, isolation: 'process' },
  ] as const)('run one after the other in plan order, their trials in order: %j', async (options) => {
    const { asked, executed } = await run(plan, options);
    expect(ofGroup(plan, asked, 0)).toEqual(inOrder(plan, 0));
    expect(ofGroup(plan, asked, 4)).toEqual(inOrder(plan, 4));
    expect(executed).toEqual(plan.scenarios.map(({ trials }) => trials));
  });

  test('end at their first failing trial with bail', async () => {
    const failing = aRunPlan(
      [asks(3, { orderGroup: 0 }), asks(9, { orderGroup: 0, failEvery: 4 }), asks(5, { orderGroup: 0 })],
      ['ask'],
    );
    const { asked, executed } = await run(failing, { workers: 2, bail: 1 });
    expect(asked.map(({ scenario, trial }) => `${scenario}:${trial}`)).toEqual([
      ...['0:0', '0:1', '0:2'],
      ...['1:0', '1:1', '1:2', '1:3'],
    ]);
    expect(executed).toEqual([3, 4, 0]);
  });

  test('end at the first failing trial of the last scenario that may fail with bail', async () => {
    const fails = asks(6, { orderGroup: 0, failEvery: 4 });
    const failing = aRunPlan([fails, asks(2, { orderGroup: 0 }), fails, fails], ['ask']);
    const { asked, executed } = await run(failing, { workers: 2, bail: 2 });
    expect(executed).toEqual([6, 2, 4, 0]);
    expect(asked.length).toBe(12);
  });

  test('are all run when a worker dies among them, the rest of each group in order', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passk-order-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const marker = path.join(folder, 'died');
    const dying = aRunPlan(
      [
        asks(3, { orderGroup: 0 }),
        asks(4, { orderGroup: 0, exitOnce: { trial: 1, marker } }),
        asks(4, { orderGroup: 0 }),
        asks(3),
      ],
      ['ask'],
    );
    const { asked, executed } = await run(dying, { workers: 2, isolation: 'process' });
    expect([existsSync(marker), executed]).toEqual([true, [3, 4, 4, 3]]);
    // The trial that cost its worker is asked again, apart from the others.
    const others = ofGroup(dying, asked, 0).filter(({ scenario, trial }) => scenario !== 1 || trial !== 1);
    expect(others).toEqual(inOrder(dying, 0).filter(({ scenario, trial }) => scenario !== 1 || trial !== 1));
  });

  test('belong to one shard each, and all shards together hold every block once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ trials: fc.integer({ min: 0, max: 9 }), orderGroup: fc.option(fc.nat(3)) }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 5 }),
        (list, count) => {
          const random = aRunPlan(
            list.map(({ trials, orderGroup }) => asks(trials, orderGroup === null ? {} : { orderGroup })),
          );
          const owners = new Map<string, number>();
          const groups = new Map<number, Set<number>>();
          for (let index = 1; index <= count; index++) {
            for (const { scenario, fromBlock, toBlock } of blocksOfShard(random, { index, count })) {
              const group = random.scenarios[scenario]?.traits.orderGroup;
              if (typeof group === 'number') groups.set(group, (groups.get(group) ?? new Set()).add(index));
              for (let block = fromBlock; block < toBlock; block++) {
                expect(owners.has(`${scenario}:${block}`)).toBe(false);
                owners.set(`${scenario}:${block}`, index);
              }
            }
          }
          expect(owners.size).toBe(list.reduce((sum, { trials }) => sum + trials, 0));
          for (const shards of groups.values()) expect(shards.size).toBe(1);
        },
      ),
    );
  });
});
