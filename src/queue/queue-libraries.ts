import { codeOf } from '../values/file-problem.ts';
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { PasskError } from '../errors.ts';

/** The parts of the optional peers in use. */
export interface QueueLibraries {
  readonly Queue: typeof Queue;
  readonly Worker: typeof Worker;
  readonly Redis: typeof Redis;
}

/** Loads the optional peers; throws `USAGE` with the command that adds them when they are not there. */
export async function loadQueueLibraries(): Promise<QueueLibraries> {
  try {
    const [{ Queue, Worker }, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { Queue, Worker, Redis };
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new PasskError(
      'USAGE',
      'A queue needs two packages that are not installed; `npm install bullmq@6 ioredis@6` adds them.',
    );
  }
}
