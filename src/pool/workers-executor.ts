import { setImmediate as nextTurn } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import type { Isolation } from '../types/isolation.ts';
import { DEFAULT_CONCURRENCY, type RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, spansOf } from './blocks/block-grid.ts';
import { untilBail } from './blocks/bail.ts';
import { type CompileProgram, DROP_IN_FLIGHT, type Executor, type ExecutorRunOptions } from './executor.ts';
import type { HostFunction } from './host-functions.ts';
import { splitByPlace } from './blocks/hosted-blocks.ts';
import { LateWorkers } from './slots/late-workers.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { PoolRun } from './pool-run.ts';
import type { RepairBounds } from './repair/repaired-block.ts';
import { ServedRuns } from './served-runs.ts';
import { RunLock } from './run-lock.ts';
import { HANG_MS } from './silence-limit.ts';
import type { WorkerSource } from './slots/slot.ts';
import { startProcesses } from './slots/start-processes.ts';
import { startThreads } from './slots/start-threads.ts';

const WATCH_MS = 50;
const PROGRESS_MS = 100;
/** Workers that do not end in this time are left to the process. */
const CLOSE_MS = 5000;

export interface WorkersExecutorOptions {
  /** Number of workers, at least 1. */
  readonly workers: number;
  /** What a worker is; default `thread`. */
  readonly isolation?: Isolation;
  /** The module of a worker of that kind; absent: the one that was built with passk. */
  readonly workerUrl?: URL;
  /** Live functions of the user by name, for plans that ask for them. */
  readonly hostFunctions?: Readonly<Record<string, HostFunction>>;
  /**
   * A worker that shows no sign of life for so long is ended, and one that runs a trial with a shorter time limit sooner,
   * after 5,000 at least; default 30,000.
   */
  readonly hangTimeoutMs?: number;
  /** Longest time until a new worker answers; default 30,000. */
  readonly startTimeoutMs?: number;
  /** JavaScript heap of one worker; default 1,024. */
  readonly memoryMb?: number;
  /** Memory of all kinds that one worker process may use, where the system tells; default: 512 more than its heap. */
  readonly processMemoryMb?: number;
  /** Trials in flight in all workers together, of programs that are not pure; default 32. */
  readonly concurrency?: number;
  /** Gets what code of the user prints to standard output; absent: nobody does. */
  readonly onOutput?: (text: string) => void;
  /** Makes programs of what the host runs itself; absent: such scenarios are refused. */
  readonly compile?: CompileProgram;
  /** Blocks in one claim at most. */
  readonly maxClaim?: number;
  /** Trials of a block that may end workers or hang before the rest of it is given up; default 256 and 32. */
  readonly repairBounds?: RepairBounds;
}

/**
 * Runs plans on workers, which start when there is work for them and stay until the executor is closed; what only waits is
 * run here, beside them.
 */
export function createWorkersExecutor(options: WorkersExecutorOptions): Executor {
  const lock = new RunLock();
  const workers = new LateWorkers(() => startWorkers(options), { isApart: options.isolation === 'process' });
  const servedRuns = new ServedRuns(lock, (needed) => withinTime(workers.endServers(needed), CLOSE_MS));
  let running: PoolRun | null = null;
  let closed = false;

  const refuseClosed = () => {
    if (closed) throw new PasskError('POOL', 'The executor is closed.', { hint: 'Create a new one.' });
  };

  const endWorkers = async (): Promise<void> => {
    await servedRuns.end();
    await withinTime(workers.close(), CLOSE_MS);
  };

  return {
    async *run(plan, runOptions = {}) {
      refuseClosed();
      const release = await lock.take(runOptions.signal);
      if (release === null) return;
      try {
        refuseClosed();
        const blocks = runOptions.blocks ?? spansOf(plan);
        if (blocks.length === 0 || runOptions.signal?.aborted === true) return;
        const { onHost, inWorkers } = splitByPlace(plan, blocks);
        if (onHost.length > 0 && options.compile === undefined) throw refusedOnHost(plan, onHost);
        if (inWorkers.length > 0) await workers.start();
        if (closed) await endWorkers();
        refuseClosed();
        const { bail = 0 } = runOptions;
        running = new PoolRun({
          plan,
          blocks,
          source: workers,
          workers: options.workers,
          compile: options.compile ?? null,
          hostFunctions:
            plan.hostFunctions.length === 0 ? null : { ...options.hostFunctions, ...runOptions.hostFunctions },
          concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
          keptServers: servedRuns.turnTo(runOptions.keptServers),
          bail,
          separate: bail > 0 || runOptions.separate === true,
          ...(runOptions.closings !== undefined && { closings: runOptions.closings }),
          processCode: runOptions.processCode,
          ...(runOptions.onWorkers !== undefined && { onWorkers: runOptions.onWorkers }),
          hangTimeoutMs: options.hangTimeoutMs ?? HANG_MS,
          startTimeoutMs: options.startTimeoutMs ?? 30_000,
          ...(options.maxClaim === undefined ? {} : { maxClaim: options.maxClaim }),
          ...(options.repairBounds === undefined ? {} : { repairBounds: options.repairBounds }),
        });
        const deltas = watched(running, runOptions);
        if (bail > 0) yield* untilBail(deltas, { blocks, bail });
        else yield* deltas;
      } finally {
        running = null;
        release();
      }
    },
    async close() {
      closed = true;
      await running?.stop('drop');
      await endWorkers();
    },
  };
}

/** The run's deltas with the timers around it: watchdog, progress, abort. */
async function* watched(run: PoolRun, { signal, onProgress }: ExecutorRunOptions) {
  let watchedAt = monotonicMs();
  let shownAt = watchedAt;
  const timer = setInterval(() => {
    const now = monotonicMs();
    // While the host was asleep or busy it could not hear workers, so that time does not count.
    run.watch(Math.min(now - watchedAt, 4 * WATCH_MS));
    watchedAt = now;
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    onProgress?.(run.progress());
  }, WATCH_MS);
  const onAbort = () => void run.stop(signal?.reason === DROP_IN_FLIGHT ? 'drop' : 'finish');
  signal?.addEventListener('abort', onAbort, { once: true });
  // Nobody listened while the workers' module was looked for.
  if (signal?.aborted === true) onAbort();
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

function refusedOnHost(plan: RunPlan, [first]: readonly BlockSpan[]): PasskError {
  const name = first === undefined ? '' : scenarioAt(plan, first.scenario).scenario.name;
  return new PasskError('POOL', `Scenario "${name}" runs on the host only, which compiles nothing here.`);
}

function startWorkers(options: WorkersExecutorOptions): Promise<WorkerSource> {
  return options.isolation === 'process' ? startProcesses(options) : startThreads(options);
}

async function withinTime(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
