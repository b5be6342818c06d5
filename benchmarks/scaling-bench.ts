import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Executor } from '../src/pool/executor.ts';
import { decodeTally } from '../src/pool/tally/tally-codec.ts';
import { createWorkersExecutor } from '../src/pool/workers-executor.ts';
import type { RunPlan } from '../src/types/plan.ts';
import type { Bench, Row } from './bench.ts';
import { median, takeTurns, timePerOperation } from './pairs.ts';
import { blockRunner, firstOf, planOf, programOf, ROUTE3 } from './subjects.ts';

/**
 * Runs of each before anything is timed. V8 compiles the loop anew when a thread gets its second program, and is at it
 * during three runs: for nothing where a core is idle, at the workers' cost where none is.
 */
const WARM_UP = 5;

/** Cores' worth of processor time that two workers must get to be judged. */
const ENOUGH_CORES = 1.9;

/**
 * What two threads that share nothing must gain for 1.8 to be asked of two workers. A virtual machine's cores may be
 * halves of real ones, or have neighbours that processor time does not show: nobody there gains more.
 */
const ENOUGH_GAIN = 1.85;

/** Point 2: two workers against one, and the pool against the same loop split by hand over two threads. */
export const scalingBench: Bench = {
  name: 'scaling',
  about: 'warm pools: two workers against one, and against the same loop split by hand',
  async run({ quick, folder }) {
    const trials = await trialsFor(quick ? 400 : 2500);
    const plan = await planOf([ROUTE3], { trials });
    const warmUp = await planOf([ROUTE3], { trials: Math.ceil(trials / 4) });
    const turns: Turn[] = [];
    for (let crew = 0; crew < (quick ? 1 : 5); crew++)
      turns.push(...(await runCrew(plan, { warmUp, folder, turns: quick ? 3 : 7 })));
    const of = (figure: (turn: Turn) => number): number => median(turns.map(figure));
    const cores = of(({ two }) => two.used);
    const machine = of(({ alone, hand }) => alone.took / hand.took);
    const note = `${cores.toFixed(2)} cores of processor time`;
    const isBusy = cores < ENOUGH_CORES;
    const cannot = isBusy || machine < ENOUGH_GAIN;
    const rows: Row[] = [
      { name: 'trials in one run', value: trials / 1e6, unit: 'M' },
      { name: 'two workers, trials', value: (trials * 1000) / of(({ two }) => two.took), unit: '/s' },
      {
        name: 'one worker / two workers',
        value: of(({ one, two }) => one.took / two.took),
        unit: 'x',
        note: cannot ? `${note}: not judged, the machine has no two cores to spare` : note,
        ...(!cannot && { atLeast: 1.8 }),
      },
      {
        name: 'the same loop by hand, one thread / two threads',
        value: machine,
        unit: 'x',
        note: 'what the machine gives to threads that share nothing',
      },
      {
        name: 'the gain of two workers / that by hand',
        value: of(({ one, two, alone, hand }) => one.took / two.took / (alone.took / hand.took)),
        unit: 'x',
        atLeast: 0.9,
      },
      {
        name: 'pool / split by hand',
        value: of(({ two, hand }) => two.took / hand.took),
        unit: 'x',
        note: isBusy ? `${note}: not judged, too busy a machine` : note,
        ...(!isBusy && { atMost: 1.02 }),
      },
      {
        name: 'pool / split by hand, processor time',
        value: of(({ two, hand }) => two.work / hand.work),
        unit: 'x',
        // Where the machine is busy, at least the work itself can be compared: wall-clock time less all waiting.
        ...(isBusy && { atMost: 1.02 }),
      },
    ];
    return rows;
  },
};

/** One run of each, one after the other. */
type Turn = Readonly<Record<'one' | 'two' | 'alone' | 'hand', Times>>;

/** Turns of threads of their own: how good the code is that V8 makes of the loop differs from thread to thread. */
async function runCrew(
  plan: RunPlan,
  { warmUp, folder, turns }: { readonly warmUp: RunPlan; readonly folder: string; readonly turns: number },
): Promise<readonly Turn[]> {
  const one = createWorkersExecutor({ workers: 1 });
  const two = createWorkersExecutor({ workers: 2 });
  const alone = await HandSplit.start({ plan, folder, threads: 1 });
  const hand = await HandSplit.start({ plan, folder, threads: 2 });
  const each = (trials: RunPlan) => ({
    one: () => timesOf(() => drain(one, trials)),
    two: () => timesOf(() => drain(two, trials)),
    alone: () => timesOf(() => alone.run(trials)),
    hand: () => timesOf(() => hand.run(trials)),
  });
  try {
    await takeTurns(WARM_UP, each(warmUp));
    return await takeTurns(turns, each(plan));
  } finally {
    await Promise.all([one.close(), two.close(), alone.close(), hand.close()]);
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

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const took = performance.now() - start;
  const spent = (user + system) / 1000;
  return { took, work: spent, used: spent / took };
}

interface HandSplitOptions {
  readonly plan: RunPlan;
  readonly folder: string;
  readonly threads: number;
}

class HandSplit {
  private readonly workers: readonly Worker[];

  private constructor(workers: readonly Worker[]) {
    this.workers = workers;
  }

  static async start({ plan, folder, threads }: HandSplitOptions): Promise<HandSplit> {
    const url = pathToFileURL(path.join(folder, 'hand-worker.js'));
    const workers = Array.from({ length: threads }, () => new Worker(url, { workerData: { plan: firstOf(plan) } }));
    await Promise.all(workers.map(nextMessage));
    return new HandSplit(workers);
  }

  /** Runs as many trials as the plan has; the scenario is the one that the threads were started with. */
  async run(plan: RunPlan): Promise<void> {
    const scenario = firstOf(plan);
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
