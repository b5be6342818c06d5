import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DROP_IN_FLIGHT, type Executor } from '../../src/pool/executor.ts';
import { createHybridExecutor, type HybridExecutorOptions } from '../../src/pool/hybrid-executor.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { blocksOfShard } from '../../src/pool/blocks/shard-blocks.ts';
import { stoppingEarly } from '../../src/pool/blocks/stop-tracker.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import type { Json } from '../../src/types/json.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, type FakeScenario, merged } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

const built: Partial<Record<Isolation, Awaited<ReturnType<typeof buildFakeWorker>>>> = {};
const NOWHERE = new URL('file:///nowhere.js');

beforeAll(async () => {
  built.thread = await buildFakeWorker('thread');
  built.process = await buildFakeWorker('process');
});
afterAll(() => {
  built.thread?.remove();
  built.process?.remove();
});

/** A host whose function counts who asks it: in order, how often, and how many at a time. */
function aHost(answer: (asked: Asked, signal: AbortSignal) => Promise<unknown> = () => sleep(1)) {
  const asked: Asked[] = [];
  let present = 0;
  const seen = { most: 0 };
  const ask = async (payload: Json, signal: AbortSignal): Promise<Json> => {
    const call = payload as unknown as Asked;
    asked.push(call);
    seen.most = Math.max(seen.most, ++present);
    try {
      await answer(call, signal);
    } finally {
      present--;
    }
    return null;
  };
  return { asked, seen, ask, names: () => asked.map(({ scenario, trial }) => `${scenario}:${trial}`) };
}

interface Asked {
  readonly scenario: number;
  readonly trial: number;
}

type Host = ReturnType<typeof aHost>;

function anExecutor(host: Host, options: Partial<HybridExecutorOptions> = {}): Executor {
  const workerUrl = built[options.isolation ?? 'thread']?.url;
  const executor = createHybridExecutor({
    workers: 2,
    concurrency: 8,
    compile: compileFake,
    hostFunctions: { ask: host.ask },
    ...(workerUrl !== undefined && { workerUrl }),
    ...options,
  });
  onTestFinished(() => executor.close());
  return executor;
}

const hosted = (trials: number, more: Partial<FakeScenario> = {}): FakeScenario => ({
  trials,
  hosted: true,
  askHost: 'ask',
  ...more,
});

/** More work than the calling thread may do at a time. */
const LONG = 2 ** 21;

/** The same trials without anything that they wait for. */
async function undisturbed(scenarios: readonly FakeScenario[]): Promise<string[]> {
  const plain = scenarios.map(({ trials, failEvery }) => ({ trials, ...(failEvery !== undefined && { failEvery }) }));
  return bytesOf(await collect(createInlineExecutor({ compile: compileFake }), aRunPlan(plain)));
}

const once = (plan: RunPlan): readonly string[] =>
  plan.scenarios.flatMap(({ index, trials, traits }) =>
    traits.place === 'host' ? Array.from({ length: trials }, (_, trial) => `${index}:${trial}`) : [],
  );

describe('trials that only wait', () => {
  const scenarios = [
    hosted(20, { orderGroup: 0 }),
    { trials: 9000 },
    hosted(30),
    hosted(5, { work: LONG }),
    hosted(7, { orderGroup: 0, work: LONG, failEvery: 3 }),
    hosted(6, { userCode: true }),
    { trials: 5000, userCode: true },
    hosted(9, { orderGroup: 0, userCode: true }),
    hosted(11, { waitsFor: { name: 'a', atOnce: 2 } }),
    hosted(8, { waitsFor: { name: 'b', atOnce: 3 }, failEvery: 5 }),
    hosted(4, { waitsFor: { name: 'a', atOnce: 2 }, userCode: true }),
  ];
  const plan = aRunPlan(scenarios, ['ask']);

  test.each([
    { workers: 0 },
    { workers: 1 },
    { workers: 2 },
    { workers: 8 },
    { workers: 1, concurrency: 1 },
    { workers: 2, isolation: 'process' },
    { workers: 2, isolation: 'process', concurrency: 1 },
  ] as const)('give the bytes of the calling thread and are run once each, judged wherever: %j', async (options) => {
    const host = aHost(({ trial }) => sleep(trial % 2 === 0 ? 3 : 1));
    const tallies = await collect(anExecutor(host, options), plan);
    expect(bytesOf(tallies)).toEqual(await undisturbed(scenarios));
    expect(host.names().toSorted()).toEqual(once(plan).toSorted());
  });

  test('give the same bytes in any number of shards', async () => {
    const expected = await undisturbed(scenarios);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (count) => {
        const host = aHost(() => Promise.resolve());
        const executor = anExecutor(host);
        const deltas: Delta[] = [];
        for (let index = 1; index <= count; index++) {
          const blocks = blocksOfShard(plan, { index, count });
          for await (const delta of executor.run(plan, { blocks })) deltas.push(delta);
        }
        await executor.close();
        expect(bytesOf(merged(plan, deltas))).toEqual(expected);
        expect(host.asked).toHaveLength(once(plan).length);
      }),
      { numRuns: 4 },
    );
  });

  test('are run again while the harness breaks them, as often as their plan says, and keep their order', async () => {
    const scenarios = [hosted(4), hosted(3, { orderGroup: 0 }), hosted(2, { userCode: true })];
    const { scenarios: plans, ...rest } = aRunPlan(scenarios, ['ask']);
    const again = { ...rest, scenarios: plans.map((one) => ({ ...one, retries: 2 })) };
    const tries = new Map<string, number>();
    // Of trial 0 every try breaks, of the others the first.
    const host = aHost(({ scenario, trial }) => {
      const name = `${scenario}:${trial}`;
      const before = tries.get(name) ?? 0;
      tries.set(name, before + 1);
      return trial === 0 || before === 0 ? Promise.reject(new Error('down')) : Promise.resolve();
    });
    const tallies = await collect(anExecutor(host), again);
    expect(tallies.map(({ passed, broken, executed }) => [passed, broken, executed])).toEqual([
      [3, 1, 4],
      [2, 1, 3],
      [1, 1, 2],
    ]);
    expect(tallies.map(({ retried }) => retried)).toEqual([
      [4, 3, 5],
      [3, 2, 4],
      [2, 1, 3],
    ]);
    expect(host.names().filter((name) => name.startsWith('1:'))).toEqual('1:0 1:0 1:0 1:1 1:1 1:2 1:2'.split(' '));
  });

  test('start no worker', async () => {
    const host = aHost();
    let started = 0;
    const executor = anExecutor(host, { workerUrl: NOWHERE });
    const waiting = aRunPlan([hosted(40), hosted(10, { orderGroup: 1 }), { trials: 100 }], ['ask']);
    const tallies = await collect(executor, waiting, { onWorkers: () => started++ });
    expect([tallies.map(({ executed }) => executed), started]).toEqual([[40, 10, 100], 0]);
  });

  test.each(['thread', 'process'] as const)(
    'are so many at a time as they may be, beside those of workers: %s',
    async (isolation) => {
      const host = aHost(() => sleep(5));
      const concurrency = 6;
      await collect(anExecutor(host, { concurrency, isolation }), aRunPlan([hosted(40)], ['ask']));
      expect(host.seen.most).toBe(concurrency);
      host.seen.most = 0;
      const both = aRunPlan([hosted(30), { trials: 30, io: true, askHost: 'ask' }], ['ask']);
      const tallies = await collect(anExecutor(host, { concurrency, isolation }), both);
      expect(tallies.map(({ executed }) => executed)).toEqual([30, 30]);
      expect(host.seen.most).toBeLessThanOrEqual(concurrency);
    },
  );

  test('are as many at a time with one worker', async () => {
    const host = aHost(() => sleep(5));
    await collect(anExecutor(host, { workers: 1, concurrency: 8 }), aRunPlan([hosted(40)], ['ask']));
    expect(host.seen.most).toBe(8);
  });

  test('of those that wait for the same one, so many are in flight as it takes, whatever others are', async () => {
    let opened = (): void => undefined;
    const open = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const slow = { name: 'slow', atOnce: 40 };
    const present = new Map<number, number>();
    const most = new Map<number, number>();
    let quick = 0;
    const host = aHost(async ({ scenario }) => {
      const here = (present.get(scenario) ?? 0) + 1;
      present.set(scenario, here);
      most.set(scenario, Math.max(most.get(scenario) ?? 0, here));
      // The slow ones end when they are as many as they may be and all others are done.
      if (scenario !== 0 && ++quick === 70) opened();
      await (scenario === 0 ? open : sleep(1));
      present.set(scenario, (present.get(scenario) ?? 0) - 1);
    });
    const waiting = [
      hosted(60, { waitsFor: slow }),
      hosted(50, { waitsFor: { name: 'quick', atOnce: 3 } }),
      hosted(20),
    ];
    const tallies = await collect(anExecutor(host, { concurrency: 2 }), aRunPlan(waiting, ['ask']));
    expect(tallies.map(({ executed }) => executed)).toEqual([60, 50, 20]);
    expect([...most].sort(([a], [b]) => a - b)).toEqual([
      [0, 40],
      [1, 3],
      [2, 2],
    ]);
  });

  test('keep the order of their group, whoever judges them', async () => {
    const host = aHost(({ trial }) => sleep(trial % 2 === 0 ? 3 : 1));
    await collect(anExecutor(host), plan);
    const ofGroup = host.asked.filter(({ scenario }) => plan.scenarios[scenario]?.traits.orderGroup === 0);
    const names = ofGroup.map(({ scenario, trial }) => `${scenario}:${trial}`);
    expect(names).toEqual(once(plan).filter((name) => /^[047]:/.test(name)));
  });

  test('are refused where nobody compiles them', async () => {
    const executor = createWorkersExecutor({ workers: 1, workerUrl: NOWHERE });
    onTestFinished(() => executor.close());
    await expect(collect(executor, plan)).rejects.toMatchObject({
      code: 'POOL',
      message: 'Scenario "s0" runs on the host only, which compiles nothing here.',
    });
  });

  test('must be of a program that is judged by records', async () => {
    const [scenario] = aRunPlan([{ trials: 3, io: true }]).scenarios;
    if (scenario === undefined) throw new Error('The plan is empty.');
    const program = compileFake(scenario, { plugins: [], callHost: null });
    const executor = anExecutor(aHost(), { compile: () => program });
    await expect(collect(executor, aRunPlan([hosted(3)]))).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('with bail, trials that only wait', () => {
  const failing = (more: Partial<FakeScenario>): RunPlan =>
    aRunPlan([hosted(5, more), hosted(12, { failEvery: 4, ...more }), hosted(9, more), { trials: 9000 }], ['ask']);
  const list = async (executor: Executor, plan: RunPlan, bail = 1): Promise<readonly string[]> => {
    const deltas: string[] = [];
    for await (const delta of executor.run(plan, { bail })) deltas.push(`${delta.scenario}:${delta.fromBlock}`);
    return deltas;
  };
  const WANTED = ['0:0', '0:1', '0:2', '0:3', '0:4', '1:0', '1:1', '1:2', '1:3'];

  const apart = { waitsFor: { name: 'a', atOnce: 2 } };

  test.each([{}, { work: LONG }, { userCode: true }, apart])('end at the first that fails: %j', async (more) => {
    for (const workers of [0, 2]) {
      const host = aHost();
      expect(await list(anExecutor(host, { workers }), failing(more))).toEqual(WANTED);
    }
  });

  test.each([{}, { work: LONG }, { orderGroup: 0 }])('bear as many failing scenarios as they may: %j', async (more) => {
    const host = aHost();
    const fails = hosted(5, { failEvery: 4, ...more });
    const plan = aRunPlan([fails, hosted(3, more), fails, fails], ['ask']);
    const wanted = [...[0, 1, 2, 3, 4].map((at) => `0:${at}`), '1:0', '1:1', '1:2', '2:0', '2:1', '2:2', '2:3'];
    expect(await list(anExecutor(host), plan, 2)).toEqual(wanted);
  });

  test.each([{}, { work: LONG }, { userCode: true }])(
    'ask nothing beyond it where they keep an order: %j',
    async (more) => {
      const host = aHost();
      expect(await list(anExecutor(host), failing({ orderGroup: 0, ...more }))).toEqual(WANTED);
      expect(host.names()).toEqual(WANTED);
    },
  );

  test('begin nothing beyond it while a lower one is still waited for', async () => {
    const host = aHost(({ scenario, trial }) => sleep(scenario === 0 && trial === 0 ? 300 : 1));
    for (const [more, concurrency] of [
      [{}, 3],
      [{ waitsFor: { name: 'a', atOnce: 3 } }, 8],
    ] as const) {
      host.asked.length = 0;
      const plan = aRunPlan([hosted(5, more), hosted(100, { failEvery: 4, ...more })], ['ask']);
      expect(await list(anExecutor(host, { concurrency }), plan)).toEqual(WANTED);
      expect(host.asked.length).toBeLessThan(20);
    }
  });
});

test('scenarios that are settled early ask no more', async () => {
  for (const more of [{}, { work: LONG }, { orderGroup: 0 }]) {
    const host = aHost();
    const plan = aRunPlan([hosted(400, { failEvery: 10, ...more }), hosted(20, more)], ['ask']);
    const executor = stoppingEarly(anExecutor(host, { concurrency: 2 }), (_, { failed }) => failed > 0);
    const tallies = await collect(executor, plan);
    expect(tallies.map(({ executed }) => executed)).toEqual([10, 10]);
    expect(host.asked.length).toBeLessThan(200);
  }
});

describe('judging that takes part of the user', () => {
  test.each(['thread', 'process'] as const)(
    'costs the trials that end their workers, none is asked again: %s',
    async (isolation) => {
      const host = aHost();
      const plan = aRunPlan([hosted(12, { userCode: true, exitAt: [3, 8] }), hosted(10)], ['ask']);
      const [mine, other] = await collect(anExecutor(host, { isolation }), plan);
      expect([mine?.executed, mine?.broken, other?.executed, other?.broken]).toEqual([12, 2, 10, 0]);
      expect(mine?.lowestBroken.map(({ trial }) => trial)).toEqual([3, 8]);
      expect(host.names().toSorted()).toEqual(once(plan).toSorted());
    },
  );

  test('is given up after so many trials that never end, and the rest of the run goes on', async () => {
    const host = aHost();
    const plan = aRunPlan([hosted(40, { userCode: true, timeoutMs: 1000, hangAt: range(40) }), hosted(10)], ['ask']);
    const executor = anExecutor(host, { hangTimeoutMs: 500, repairBounds: { deaths: 9, hangs: 2 }, concurrency: 2 });
    const [mine, other] = await collect(executor, plan);
    expect([mine?.executed, mine?.broken, other?.passed]).toEqual([40, 40, 9]);
  });

  test('is never done on the calling thread', async () => {
    const host = aHost();
    const told: string[] = [];
    const executor = anExecutor(host, { workers: 0, onOutput: (text) => told.push(text) });
    await collect(executor, aRunPlan([hosted(3, { userCode: true, printAt: range(3) })], ['ask']));
    // What is printed on the calling thread would not come this way.
    expect(
      told
        .join('')
        .match(/trial \d/g)
        ?.toSorted(),
    ).toEqual(['trial 0', 'trial 1', 'trial 2']);
  });

  test('is loaded in workers alone, and what is wrong with it ends the run', async () => {
    const plan = aRunPlan([hosted(3, { userCode: true, failOnCompile: true })], ['ask']);
    await expect(collect(anExecutor(aHost()), plan)).rejects.toMatchObject({
      code: 'PLUGIN',
      message: 'Scenario "s0" cannot be prepared in a worker: The plug-in is broken.',
    });
  });
});

describe('a run that is stopped', () => {
  async function stopped(plan: RunPlan, reason?: Error) {
    const stop = new AbortController();
    const told: unknown[] = [];
    const host = aHost(async ({ scenario, trial }, signal) => {
      if (trial === 5) stop.abort(reason);
      if (scenario === 0) await sleep(20);
      else await new Promise((resolve) => signal.addEventListener('abort', () => resolve(told.push(signal.reason))));
    });
    const tallies: Tally[] = await collect(anExecutor(host), plan, { signal: stop.signal });
    return { host, tallies, told };
  }

  test.each([{}, { work: LONG }, { userCode: true }])(
    'still counts what has been answered by then: %j',
    async (more) => {
      const plan = aRunPlan([hosted(50, { failEvery: 0, ...more })], ['ask']);
      const { host, tallies } = await stopped(plan);
      expect(tallies[0]?.passed).toBe(host.asked.length);
      expect(host.asked.length).toBeLessThan(50);
    },
  );

  test('tells what never ends that nobody waits for it', async () => {
    const { host, tallies, told } = await stopped(aRunPlan([hosted(50), hosted(50)], ['ask']), DROP_IN_FLIGHT);
    const endless = host.asked.filter(({ scenario }) => scenario === 1).length;
    expect([tallies[1]?.executed, endless > 0, told.length]).toEqual([0, true, endless]);
  });

  test('leaves the executor ready for the next', async () => {
    const host = aHost();
    const executor = anExecutor(host);
    const plan = aRunPlan([hosted(20, { userCode: true })], ['ask']);
    for await (const _ of executor.run(plan)) break;
    expect((await collect(executor, plan))[0]?.executed).toBe(20);
  });
});

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
