import type { RunPlan } from '../types/plan.ts';
import type { WorkerSource } from './slot.ts';

export interface LaneShares {
  /** Workers that take part. */
  readonly count: number;
  /** Trials in flight in each of them at most, of programs whose trials wait for answers. */
  readonly lanes: number;
}

/** How many workers a run gets, and which share of its trials in flight. */
export function shareLanes(
  plan: RunPlan,
  given: {
    readonly workers: number;
    readonly concurrency: number;
    /** Pieces of work at most. */
    readonly pieces: number;
    readonly source: Pick<WorkerSource, 'isApart'>;
  },
): LaneShares {
  const { workers, concurrency, pieces, source } = given;
  const count = Math.max(1, Math.min(workers, pieces));
  // Threads see in shared memory how many are in flight elsewhere.
  if (!source.isApart) return { count, lanes: Math.ceil(concurrency / count) };
  const waits = plan.scenarios.some(({ traits }) => !traits.sync);
  const apart = waits ? Math.min(count, concurrency) : count;
  return { count: apart, lanes: Math.max(1, Math.floor(concurrency / apart)) };
}
