import { isTooMuchWork, withWork } from '../values/work.ts';

/**
 * What is done on the calling thread at a time, half of it for a single trial: it takes about as long as the thread may be
 * kept. What takes more is for a worker, which can be ended.
 */
const SHORT_WORK = 1_000_000;

/** The result of `run`; null: it takes too much work for the calling thread, and was given up half-way. */
export function runShort<T>(run: () => T): T | null {
  try {
    return withWork(SHORT_WORK, run);
  } catch (error) {
    if (isTooMuchWork(error)) return null;
    throw error;
  }
}
