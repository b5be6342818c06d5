import type { RunPlan } from '../../types/plan.ts';
import type { WorkerSource } from './slot.ts';

export interface InFlightShares {
  /** Workers that take part. */
  readonly count: number;
  /** Trials in flight in each of them at most, of programs whose trials wait for answers. */
  readonly perWorker: number;
  /** The same on the host. */
  readonly onHost: number;
}

/** How many workers a run gets, and which share of its trials in flight. */
export function shareInFlight(
  plan: RunPlan,
  options: {
    readonly workers: number;
    readonly concurrency: number;
    /** Pieces of work at most. */
    readonly pieces: number;
    readonly source: Pick<WorkerSource, 'isApart'>;
    /** True: the host runs trials itself. */
    readonly isHosting: boolean;
  },
): InFlightShares {
  const { workers, concurrency, pieces, source, isHosting } = options;
  const count = Math.max(1, Math.min(workers, pieces));
  // Threads see in shared memory how many are in flight elsewhere.
  if (!source.isApart) return { count, perWorker: Math.ceil(concurrency / count), onHost: concurrency };
  const waits = plan.scenarios.some(({ traits }) => !traits.sync && traits.place === 'worker');
  if (!waits) return { count, perWorker: Math.max(1, Math.floor(concurrency / count)), onHost: concurrency };
  const apart = Math.min(count, isHosting ? Math.max(1, concurrency - 1) : concurrency);
  const perWorker = Math.max(1, Math.floor(concurrency / (isHosting ? apart + 1 : apart)));
  return { count: apart, perWorker, onHost: Math.max(1, concurrency - apart * perWorker) };
}
