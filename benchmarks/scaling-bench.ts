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
    const one = createWorkersExecutor({ workers: 1 });
    const two = createWorkersExecutor({ workers: 2 });
    const hand = await HandSplit.start(plan, { folder, threads: 2 });
    const alone = await HandSplit.start(plan, { folder, threads: 1 });
    try {
      const cores: number[] = [];
      const pool = async (executor: Executor): Promise<number> => {
        const { took, used } = await wallTime(() => drain(executor, plan));
        if (executor === two) cores.push(used);
        return took;
      };
      await pool(one);
      await pool(two);
      await hand.run();
      await alone.run();
      const pairs = quick ? 3 : 9;
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
      const got = median(cores);
      const note = `${got.toFixed(2)} cores of processor time${got < 1.9 ? ': too busy a machine, not judged' : ''}`;
      const rows: Row[] = [
        { name: 'trials in one run', value: trials / 1e6, unit: 'M' },
        { name: 'two workers, trials', value: (trials * 1000) / scaling.a, unit: '/s' },
        {
          name: 'one worker / two workers',
          value: scaling.ratio,
          unit: 'x',
          note,
          ...(got < 1.9 ? {} : { atLeast: 1.8 }),
        },
        {
          name: 'the same loop by hand, one thread / two threads',
          value: byHand.ratio,
          unit: 'x',
          note: 'what the machine gives to threads that share nothing',
        },
        {
          name: 'pool / split by hand',
          value: overhead.ratio,
          unit: 'x',
          note,
          ...(got < 1.9 ? {} : { atMost: 1.02 }),
        },
        { name: 'pool / split by hand, processor time', value: work.ratio, unit: 'x', atMost: 1.02 },
      ];
      return rows;
    } finally {
      await Promise.all([one.close(), two.close(), hand.close(), alone.close()]);
    }
  },
};

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
