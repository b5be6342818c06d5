import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Executor } from '../src/pool/executor.ts';
import { decodeTally } from '../src/pool/tally-codec.ts';
import { createWorkersExecutor } from '../src/pool/workers-executor.ts';
import type { RunPlan } from '../src/types/plan.ts';
import type { Bench, Row } from './bench.ts';
import { alternate, median, timePerOperation } from './pairs.ts';
import { blockRunner, firstOf, planOf, programOf, ROUTE3 } from './subjects.ts';

/** Point 2: two workers against one, and the pool against the same loop split by hand over two threads. */
export const scalingBench: Bench = {
  name: 'scaling',
  about: 'warm pools: two workers against one, and against the same loop split by hand',
  async run({ quick, folder }) {
    const trials = await trialsFor(quick ? 400 : 2500);
    const plan = await planOf([ROUTE3], { trials });
    const rounds: Round[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) rounds.push(await runRound(plan, { folder, pairs: 3 }));
    const of = (figure: keyof Round): number => median(rounds.map((round) => round[figure]));
    const got = of('cores');
    const isBusy = got < 1.9;
    const note = `${got.toFixed(2)} cores of processor time${isBusy ? ': too busy a machine, not judged' : ''}`;
    const rows: Row[] = [
      { name: 'trials in one run', value: trials / 1e6, unit: 'M' },
      { name: 'two workers, trials', value: (trials * 1000) / of('took'), unit: '/s' },
      {
        name: 'one worker / two workers',
        value: of('scaling'),
        unit: 'x',
        note,
        ...(isBusy ? {} : { atLeast: 1.8 }),
      },
      {
        name: 'the same loop by hand, one thread / two threads',
        value: of('byHand'),
        unit: 'x',
        note: 'what the machine gives to threads that share nothing',
      },
      { name: 'pool / split by hand', value: of('overhead'), unit: 'x', note, ...(isBusy ? {} : { atMost: 1.02 }) },
      { name: 'pool / split by hand, processor time', value: of('work'), unit: 'x', atMost: 1.02 },
    ];
    return rows;
  },
};

/** Medians of the pairs of one round. */
interface Round {
  /** Milliseconds of a run with two workers. */
  readonly took: number;
  /** Cores' worth of processor time that such a run had. */
  readonly cores: number;
  readonly scaling: number;
  readonly byHand: number;
  readonly overhead: number;
  readonly work: number;
}

/** With threads of its own: how good the code is that V8 makes of the loop differs from thread to thread. */
async function runRound(
  plan: RunPlan,
  { folder, pairs }: { readonly folder: string; readonly pairs: number },
): Promise<Round> {
  const one = createWorkersExecutor({ workers: 1 });
  const two = createWorkersExecutor({ workers: 2 });
  const hand = await HandSplit.start(plan, { folder, threads: 2 });
  const alone = await HandSplit.start(plan, { folder, threads: 1 });
  try {
    for (const warm of [() => drain(one, plan), () => drain(two, plan), () => hand.run(), () => alone.run()])
      await warm();
    const cores: number[] = [];
    const pool = async (executor: Executor): Promise<number> => {
      const { took, used } = await wallTime(() => drain(executor, plan));
      if (executor === two) cores.push(used);
      return took;
    };
    const scaling = await alternate(
      pairs,
      () => pool(two),
      () => pool(one),
    );
    const byHand = await alternate(
      pairs,
      async () => (await wallTime(() => hand.run())).took,
      async () => (await wallTime(() => alone.run())).took,
    );
    const overhead = await alternate(
      pairs,
      async () => (await wallTime(() => hand.run())).took,
      () => pool(two),
    );
    // Where the machine is busy, at least the work itself can be compared: wall-clock time less all waiting.
    const work = await alternate(
      pairs,
      async () => (await wallTime(() => hand.run())).work,
      async () => (await wallTime(() => drain(two, plan))).work,
    );
    return {
      took: scaling.a,
      cores: median(cores),
      scaling: scaling.ratio,
      byHand: byHand.ratio,
      overhead: overhead.ratio,
      work: work.ratio,
    };
  } finally {
    await Promise.all([one.close(), two.close(), hand.close(), alone.close()]);
  }
}

/** How many trials take one worker about so long. */
async function trialsFor(ms: number): Promise<number> {
  const runner = blockRunner(await programOf(firstOf(await planOf([ROUTE3]))), 64);
  const perTrial = await timePerOperation(runner.trials, 200, () => runner.run());
  return Math.max(1, Math.round((ms * 1e6) / (perTrial * runner.trials))) * runner.trials;
}

async function drain(executor: Executor, plan: RunPlan): Promise<void> {
  const shape = (await programOf(firstOf(plan))).shape;
  let executed = 0;
  for await (const delta of executor.run(plan)) executed += decodeTally(delta.tally, shape).executed;
  if (executed !== firstOf(plan).trials) throw new Error(`the pool ran ${executed} trials`);
}

interface Times {
  /** Wall-clock milliseconds. */
  readonly took: number;
  /** Milliseconds of processor time. */
  readonly work: number;
  /** How many cores' worth of it there was. */
  readonly used: number;
}

async function wallTime(work: () => Promise<unknown>): Promise<Times> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const took = performance.now() - start;
  const spent = (user + system) / 1000;
  return { took, work: spent, used: spent / took };
}

class HandSplit {
  private readonly plan: RunPlan;
  private readonly workers: readonly Worker[];

  private constructor(plan: RunPlan, workers: readonly Worker[]) {
    this.plan = plan;
    this.workers = workers;
  }

  static async start(
    plan: RunPlan,
    { folder, threads }: { readonly folder: string; readonly threads: number },
  ): Promise<HandSplit> {
    const url = pathToFileURL(path.join(folder, 'hand-worker.js'));
    const workers = Array.from({ length: threads }, () => new Worker(url, { workerData: { plan: firstOf(plan) } }));
    await Promise.all(workers.map(nextMessage));
    return new HandSplit(plan, workers);
  }

  async run(): Promise<void> {
    const scenario = firstOf(this.plan);
    const { shape } = await programOf(scenario);
    const part = Math.ceil(scenario.trials / this.workers.length);
    const parts = this.workers.map(async (worker, index) => {
      const answer = nextMessage(worker);
      worker.postMessage({ from: index * part, to: Math.min(scenario.trials, (index + 1) * part) });
      return decodeTally((await answer) as Uint8Array, shape).executed;
    });
    const executed = (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
    if (executed !== scenario.trials) throw new Error(`the split loop ran ${executed} trials`);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** The next message of a worker; rejects when the worker fails. */
async function nextMessage(worker: Worker): Promise<unknown> {
  const [message] = (await once(worker, 'message')) as readonly unknown[];
  return message;
}
