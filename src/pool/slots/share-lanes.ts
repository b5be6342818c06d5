import type { RunPlan } from '../../types/plan.ts';
import type { WorkerSource } from './slot.ts';

export interface LaneShares {
  /** Workers that take part. */
  readonly count: number;
  /** Trials in flight in each of them at most, of programs whose trials wait for answers. */
  readonly lanes: number;
  /** The same on the host. */
  readonly hostLanes: number;
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
    /** True: the host runs trials itself. */
    readonly isHosting: boolean;
  },
): LaneShares {
  const { workers, concurrency, pieces, source, isHosting } = given;
  const count = Math.max(1, Math.min(workers, pieces));
  // Threads see in shared memory how many are in flight elsewhere.
  if (!source.isApart) return { count, lanes: Math.ceil(concurrency / count), hostLanes: concurrency };
  const waits = plan.scenarios.some(({ traits }) => !traits.sync && traits.place === 'worker');
  if (!waits) return { count, lanes: Math.max(1, Math.floor(concurrency / count)), hostLanes: concurrency };
  const apart = Math.min(count, isHosting ? Math.max(1, concurrency - 1) : concurrency);
  const lanes = Math.max(1, Math.floor(concurrency / (isHosting ? apart + 1 : apart)));
  return { count: apart, lanes, hostLanes: Math.max(1, concurrency - apart * lanes) };
}
