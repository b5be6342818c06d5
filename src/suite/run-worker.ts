import { hostname } from 'node:os';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { createHybridExecutor } from '../pool/hybrid-executor.ts';
import { startClock } from '../pool/start-clock.ts';
import { buildProgram } from '../trial/build-program.ts';
import { admitRun } from './admit-run.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import type { QueueOptions } from '../settings/queue-options.ts';

/** How a process takes part in the runs of a queue. What it may do comes from here, never from the queue. */
export interface RunWorkerOptions
  extends Pick<
    RunSuiteOptions,
    'workers' | 'isolation' | 'concurrency' | 'plugins' | 'permissions' | 'cwd' | 'onOutput' | 'signal'
  > {
  /** The address of a Redis, or that and how long it may be away. */
  readonly queue: string | Pick<QueueOptions, 'url' | 'outageMs' | 'onNotice'>;
  /** What the host calls this worker; default: the machine's name and the process's number. */
  readonly name?: string;
  /** Leave after the first run; default false. */
  readonly once?: boolean;
}

const MAX_NAME = 64;

/**
 * Takes part in the runs of a queue until the signal says to leave; blocks in work are finished first. Rejects with
 * `QUEUE` when Redis cannot be reached for too long, with `POOL` when this machine cannot run trials.
 */
export async function runWorker({ name: workerName, once = false, ...more }: RunWorkerOptions): Promise<void> {
  const options = resolveRunOptions(more);
  const { queue, workers, isolation, concurrency, onOutput, signal } = options;
  if (queue === null) throw new PasskError('USAGE', 'A worker needs the address of a queue.');
  const name = workerName ?? `${hostname()}-${process.pid}`;
  if (!/^[\w.:@-]+$/.test(name) || name.length > MAX_NAME) {
    throw new PasskError('USAGE', `A worker cannot be called ${JSON.stringify(name.slice(0, MAX_NAME))}.`, {
      hint: `Use up to ${MAX_NAME} letters, digits and . : @ _ -`,
    });
  }
  const executor = createHybridExecutor({
    workers,
    isolation,
    concurrency,
    // What runs on the calling thread is pure, or only waits: the real world is for workers.
    compile: (plan, services) => buildProgram(plan, { ...services, startClock, effects: null }),
    onOutput,
  });
  try {
    const { serveQueue } = await import('../queue/serve-queue.ts');
    await serveQueue({
      ...queue,
      name,
      workers,
      concurrency,
      executor,
      once,
      admit: (run) => admitRun(run, options),
      signal: signal ?? new AbortController().signal,
    });
  } finally {
    await executor.close();
  }
}
