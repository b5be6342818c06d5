import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { RUNS_KEY, runKeys } from './queue-keys.ts';
import { isOfContent } from './redis-answers.ts';

/** Removes the keys of a run, all but its jobs. Resolves to true for whoever was first: the jobs are theirs to remove. */
export async function removeKeys(client: Redis, id: string): Promise<boolean> {
  const commands = client.multi().zrem(RUNS_KEY, id);
  const answers = await commands.del(...Object.values(runKeys(id))).exec();
  return answers?.[0]?.[1] === 1;
}

/** Removes the jobs of a run. A host that lives after all may do so at the same time as a worker that missed it. */
export async function removeJobs(queue: Queue): Promise<void> {
  try {
    await queue.obliterate({ force: true });
  } catch (error) {
    // BullMQ pauses a queue before it removes it, and fails when it finds the pause removed as well: by the other one.
    if (isOfContent(error) || (await queue.isPaused())) throw error;
  }
}
