import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { PasskError } from '../errors.ts';
import { spansOf } from './block-grid.ts';
import { untilFirstFailure } from './bail.ts';
import { DROP_FLIGHTS, type Executor, type ExecutorRunOptions } from './executor.ts';
import type { HostFunction } from './host-functions.ts';
import type { PumpEnd, PumpTask } from './messages.ts';
import { LANES_PER_WORKER } from './in-flight.ts';
import { PoolRun } from './pool-run.ts';
import { RunLock } from './run-lock.ts';
import { WorkerDeaths } from './worker-deaths.ts';
import { workerFlags } from './worker-flags.ts';
import { redirectOutput } from './worker-output.ts';
import { workerUrl } from './worker-url.ts';

const WATCH_MS = 50;
const PROGRESS_MS = 100;
/** Workers that do not end in this time are left to the process. */
const CLOSE_MS = 5000;

export interface WorkersExecutorOptions {
  /** Number of worker threads, at least 1. */
  readonly workers: number;
  /** The worker's module; absent: the one that was built with passk. */
  readonly workerUrl?: URL;
  /** Live functions of the user by name, for plans that ask for them. */
  readonly hostFunctions?: Readonly<Record<string, HostFunction>>;
  /** A worker that shows no sign of life for so long is ended; default 30,000. */
  readonly hangTimeoutMs?: number;
  /** A worker must answer so soon after it was started; default 30,000. */
  readonly startTimeoutMs?: number;
  /** JavaScript heap of one worker; default 1,024. */
  readonly memoryMb?: number;
  /** Trials in flight in all workers together, of programs that are not pure; default 16 per worker. */
  readonly concurrency?: number;
  /** Gets what code of the user prints to standard output; absent: nobody does. */
  readonly onOutput?: (text: string) => void;
  /** Blocks in one claim at most. */
  readonly maxClaim?: number;
}

/** Runs plans on worker threads, which start with the first run and stay until the executor is closed. */
export function createWorkersExecutor(options: WorkersExecutorOptions): Executor {
  const lock = new RunLock();
  let pool: StartedPool | null = null;
  let running: PoolRun | null = null;
  let closed = false;

  const refuseClosed = () => {
    if (closed) throw new PasskError('POOL', 'The executor is closed.', { hint: 'Create a new one.' });
  };

  const endPool = async () => {
    const ending = pool;
    pool = null;
    // Not Piscina's close(): it drops tasks that it has accepted.
    if (ending !== null) await withinTime(ending.pool.destroy(), CLOSE_MS);
  };

  return {
    async *run(plan, runOptions = {}) {
      refuseClosed();
      const release = await lock.take();
      try {
        refuseClosed();
        const blocks = runOptions.blocks ?? spansOf(plan);
        if (blocks.length === 0 || runOptions.signal?.aborted === true) return;
        pool ??= await startPool(options);
        if (closed) await endPool();
        refuseClosed();
        running = new PoolRun({
          plan,
          blocks,
          ...pool,
          workers: options.workers,
          hostFunctions:
            plan.hostFunctions.length === 0 ? null : { ...options.hostFunctions, ...runOptions.hostFunctions },
          concurrency: options.concurrency ?? LANES_PER_WORKER * options.workers,
          bail: runOptions.bail ?? false,
          hangTimeoutMs: options.hangTimeoutMs ?? 30_000,
          startTimeoutMs: options.startTimeoutMs ?? 30_000,
          ...(options.maxClaim === undefined ? {} : { maxClaim: options.maxClaim }),
        });
        const deltas = watched(running, runOptions);
        if (runOptions.bail === true) yield* untilFirstFailure(deltas, blocks);
        else yield* deltas;
      } finally {
        running = null;
        release();
      }
    },
    async close() {
      closed = true;
      await running?.stop('drop');
      await endPool();
    },
  };
}

interface StartedPool {
  readonly pool: Piscina<PumpTask, PumpEnd>;
  readonly deaths: WorkerDeaths;
}

/** The run's deltas with the timers around it: watchdog, progress, abort. */
async function* watched(run: PoolRun, { signal, onProgress }: ExecutorRunOptions) {
  let watchedAt = performance.now();
  let shownAt = watchedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // A host that was asleep or busy could not have heard anybody: that time does not count.
    run.watch(Math.min(now - watchedAt, 4 * WATCH_MS));
    watchedAt = now;
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    onProgress?.(run.progress());
  }, WATCH_MS);
  const onAbort = () => void run.stop(signal?.reason === DROP_FLIGHTS ? 'drop' : 'land');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    yield* run.deltas();
    onProgress?.(run.progress());
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
    await run.stop('drop');
    // What workers printed before they ended is read in the next turn.
    await nextTurn();
  }
}

async function startPool(options: WorkersExecutorOptions): Promise<StartedPool> {
  const filename = (options.workerUrl ?? (await workerUrl())).href;
  try {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<PumpTask, PumpEnd>({
      filename,
      minThreads: options.workers,
      maxThreads: options.workers,
      concurrentTasksPerWorker: 1,
      // Otherwise an idle worker sleeps in Atomics.wait and serves no message port.
      atomics: 'disabled',
      recordTiming: false,
      execArgv: workerFlags(process.execArgv),
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 1024 },
    });
    // A worker that fails while it has no task: its successor, or the next run, will tell.
    pool.on('error', () => {});
    return { pool, deaths: watchWorkers(pool, options.onOutput ?? (() => {})) };
  } catch (cause) {
    throw new PasskError('POOL', 'The worker pool cannot be started.', {
      hint: 'Use --workers 0 to run on the main thread.',
      cause,
    });
  }
}

/** Attaches to every worker before it gets any work. */
function watchWorkers(pool: Piscina<PumpTask, PumpEnd>, onOutput: (text: string) => void): WorkerDeaths {
  const deaths = new WorkerDeaths();
  const known = new WeakSet<Worker>();
  const watchNew = () => {
    for (const worker of pool.threads.filter((thread) => !known.has(thread))) {
      known.add(worker);
      deaths.watch(worker);
      redirectOutput(worker, onOutput);
    }
  };
  watchNew();
  pool.on('workerCreate', watchNew);
  return deaths;
}

async function withinTime(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
