import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { PasskError } from '../../errors.ts';
import { messageOf } from '../../values/message-of.ts';
import { MemoryGrowth } from './memory-growth.ts';
import type { PoolTask, WorkerTaskEnd } from '../messages.ts';
import { HEAP_MB, type WorkerSource } from './slot.ts';
import { ThreadSlot } from './thread-slot.ts';
import { WorkerDeaths } from './worker-deaths.ts';
import { workerFlags } from './worker-flags.ts';
import { redirectOutput } from './worker-output.ts';
import { workerUrl } from './worker-url.ts';

export interface ThreadOptions {
  readonly workers: number;
  readonly workerUrl?: URL;
  readonly memoryMb?: number;
  readonly onOutput?: (text: string) => void;
}

/** Worker threads of one pool. Rejects with `POOL` when they cannot be had. */
export async function startThreads(options: ThreadOptions): Promise<WorkerSource> {
  const { memoryMb: heapMb = HEAP_MB, onOutput = () => {} } = options;
  const filename = (options.workerUrl ?? (await workerUrl())).href;
  try {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<PoolTask, WorkerTaskEnd>({
      filename,
      minThreads: options.workers,
      maxThreads: options.workers,
      concurrentTasksPerWorker: 1,
      // Otherwise an idle worker sleeps in Atomics.wait and serves no message port.
      atomics: 'disabled',
      recordTiming: false,
      execArgv: workerFlags(process.execArgv),
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // A worker without a task has failed. If its successor fails too, that is reported with a task.
    pool.on('error', () => {});
    const memory = new MemoryGrowth(heapMb);
    const deaths = watchWorkers(pool, onOutput);
    return {
      isApart: false,
      open: (slot) => new ThreadSlot({ ...slot, pool, deaths, filename, onOutput, memory }),
      async endServers(needed) {
        // None of them works, so each gets one.
        const ends = pool.threads.map(() => pool.run(needed, { name: 'endServers' }));
        await Promise.allSettled(ends);
      },
      // Not Piscina's close(): it drops tasks that it has accepted.
      close: () => pool.destroy(),
    };
  } catch (cause) {
    throw new PasskError('POOL', `The system starts no more worker threads (${messageOf(cause)}).`, {
      hint: 'Use fewer workers, or a machine with more memory and a higher limit of threads.',
      cause,
    });
  }
}

/** Attaches to every worker before it gets any work. */
function watchWorkers(pool: Piscina<PoolTask, WorkerTaskEnd>, onOutput: (text: string) => void): WorkerDeaths {
  const deaths = new WorkerDeaths();
  const attached = new WeakSet<Worker>();
  const watchNew = () => {
    for (const worker of pool.threads.filter((thread) => !attached.has(thread))) {
      attached.add(worker);
      deaths.watch(worker);
      redirectOutput(worker, onOutput);
    }
  };
  watchNew();
  pool.on('workerCreate', watchNew);
  return deaths;
}
