import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Executor } from '../../src/pool/executor.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { createIsolatingExecutor } from '../../src/pool/isolating-executor.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, type FakeScenario } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

let urls: Record<Isolation, Awaited<ReturnType<typeof buildFakeWorker>>>;

beforeAll(async () => {
  urls = { thread: await buildFakeWorker('thread'), process: await buildFakeWorker('process') };
});
afterAll(() => {
  urls.thread.remove();
  urls.process.remove();
});

interface IsolatedScenario extends FakeScenario {
  readonly isolation?: Isolation;
}

function aMixedPlan(scenarios: readonly IsolatedScenario[]): RunPlan {
  const plan = aRunPlan(scenarios.map(({ isolation: _, ...scenario }) => scenario));
  return {
    ...plan,
    scenarios: plan.scenarios.map((planned, index) => {
      const { isolation } = scenarios[index] ?? {};
      return isolation === undefined ? planned : { ...planned, scenario: { ...planned.scenario, isolation } };
    }),
  };
}

/** `begun`: the kinds of workers that were asked to run something, in that order. */
function anExecutor(isolation: Isolation, begun: Isolation[] = []): Executor {
  const open = async (kind: Isolation): Promise<Executor> => {
    const executor = createWorkersExecutor({ workers: 2, workerUrl: urls[kind].url, isolation: kind });
    return {
      run(plan, options) {
        begun.push(kind);
        return executor.run(plan, options);
      },
      close: () => executor.close(),
    };
  };
  return createIsolatingExecutor({ isolation, open });
}

async function run(isolation: Isolation, plan: RunPlan, begun?: Isolation[]): Promise<Tally[]> {
  const executor = anExecutor(isolation, begun);
  try {
    return await collect(executor, plan);
  } finally {
    await executor.close();
  }
}

const verdicts = ({ passed, failed, broken, lowestBroken }: Tally) => ({ passed, failed, broken, lowestBroken });

test('wherever scenarios ask to run, the bytes are those of the calling thread', async () => {
  const scenarios: readonly IsolatedScenario[] = [
    { trials: 9000, isolation: 'process' },
    { trials: 50, io: true },
    { trials: 4096, isolation: 'thread' },
    { trials: 0, isolation: 'process' },
    { trials: 20_000 },
    { trials: 20, io: true, isolation: 'process' },
  ];
  const pure = scenarios.map(({ io: _, ...scenario }) => scenario);
  const inline = createInlineExecutor({ compile: compileFake });
  expect(bytesOf(await run('thread', aMixedPlan(pure)))).toEqual(bytesOf(await collect(inline, aRunPlan(pure))));
  const expected = bytesOf(await run('thread', aRunPlan(scenarios)));
  const begun: Isolation[] = [];
  expect(bytesOf(await run('thread', aMixedPlan(scenarios), begun))).toEqual(expected);
  expect(bytesOf(await run('process', aMixedPlan(scenarios), begun))).toEqual(expected);
  expect(begun).toEqual(['thread', 'process', 'thread', 'process']);
});

test('a process that aborts costs its trial, and every other scenario stays on threads', async () => {
  // Node refuses `process.abort()` in a thread, which tells where a trial ran.
  const abort = { trials: 5000, userCode: true, abortAt: [4200] };
  const [isolated, other, plain] = await run(
    'thread',
    aMixedPlan([{ ...abort, isolation: 'process' }, abort, { trials: 5000, userCode: true }]),
  );
  const but = { passed: 4500, failed: 499, broken: 1 };
  const inThread = 'threw TypeError "process.abort() is not supported in workers" while running this trial';
  expect([isolated, other, plain].map((tally) => tally && verdicts(tally))).toEqual([
    {
      ...but,
      passed: 4499,
      failed: 500,
      lowestBroken: [{ trial: 4200, cause: 'worker was ended by SIGABRT while running this trial' }],
    },
    { ...but, passed: 4499, failed: 500, lowestBroken: [{ trial: 4200, cause: inThread }] },
    { passed: 4500, failed: 500, broken: 0, lowestBroken: [] },
  ]);
});

test('what a scenario says comes before what the run says', async () => {
  const begun: Isolation[] = [];
  await run('process', aMixedPlan([{ trials: 10, isolation: 'thread' }]), begun);
  await run('thread', aMixedPlan([{ trials: 10, isolation: 'process' }]), begun);
  await run('process', aMixedPlan([{ trials: 10 }]), begun);
  expect(begun).toEqual(['thread', 'process', 'process']);
});

test('with bail nothing beyond the first failing block is begun, whatever kind it is of', async () => {
  const begun: Isolation[] = [];
  const executor = anExecutor('thread', begun);
  const plan = aMixedPlan([
    { trials: 3, io: true, failEvery: 0 },
    { trials: 3, io: true, failEvery: 2, isolation: 'process' },
    { trials: 3, io: true },
    { trials: 3, io: true, isolation: 'process' },
  ]);
  try {
    const tallies = await collect(executor, plan, { bail: 1 });
    expect(tallies.map(({ executed }) => executed)).toEqual([3, 2, 0, 0]);
    expect(begun).toEqual(['thread', 'process']);
  } finally {
    await executor.close();
  }
});

test('progress counts all trials of both kinds', async () => {
  const executor = anExecutor('thread');
  const told: number[][] = [];
  try {
    await collect(executor, aMixedPlan([{ trials: 4000 }, { trials: 3000, isolation: 'process' }]), {
      onProgress: ({ done, failed, total }) => told.push([done, failed, total]),
    });
    expect(told.at(-1)).toEqual([7000, 700, 7000]);
    expect(told).toEqual([...told].sort(([a = 0], [b = 0]) => a - b));
  } finally {
    await executor.close();
  }
});

test('an executor that was closed between the kinds begins nothing more', async () => {
  const begun: Isolation[] = [];
  const executor = anExecutor('thread', begun);
  const plan = aMixedPlan([
    { trials: 10, io: true },
    { trials: 10, io: true, isolation: 'process' },
  ]);
  for await (const _ of executor.run(plan)) await executor.close();
  expect(begun).toEqual(['thread']);
});
