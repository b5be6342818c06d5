import { afterAll, beforeAll } from 'vitest';
import type { Executor } from '../../src/pool/executor.ts';
import { createWorkersExecutor, type WorkersExecutorOptions } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import { aRunPlan, buildFakeWorker, collect, type FakeScenario, inSmallBlocks } from './a-run.ts';

export interface FakePool {
  /** The module of a worker. */
  readonly url: URL;
  /** Runs on two workers: on those of the pool, or on some of its own where it asks for anything special. */
  run(scenarios: readonly FakeScenario[], options?: Partial<WorkersExecutorOptions>): Promise<Tally[]>;
}

/** Workers of fake programs for the tests of a file: to start some costs more than most of what they run. */
export function aFakePool(isolation: Isolation): FakePool {
  let worker: Awaited<ReturnType<typeof buildFakeWorker>>;
  let warm: Executor;
  beforeAll(async () => {
    worker = await buildFakeWorker(isolation);
    warm = createWorkersExecutor({ workers: 2, workerUrl: worker.url, isolation });
  });
  afterAll(async () => {
    await warm.close();
    worker.remove();
  });
  return {
    get url() {
      return worker.url;
    },
    async run(scenarios, options) {
      const plan = aRunPlan(inSmallBlocks(scenarios));
      if (options === undefined) return await collect(warm, plan);
      const executor = createWorkersExecutor({ workers: 2, workerUrl: worker.url, isolation, ...options });
      try {
        return await collect(executor, plan);
      } finally {
        await executor.close();
      }
    },
  };
}
