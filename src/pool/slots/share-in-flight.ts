import type { RunPlan } from '../../types/plan.ts';
import type { WorkerSource } from './slot.ts';

export interface InFlightShares {
  /** Trials in flight in each worker that takes part, at most, of programs whose trials wait for answers. */
  readonly inWorkers: readonly number[];
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
  const waits = plan.scenarios.some(({ traits }) => !traits.sync && traits.place === 'worker');
  // Threads see in shared memory how many are in flight elsewhere, so that the host may use what they leave.
  if (!source.isApart || !waits) return { inWorkers: parted(concurrency, count), onHost: concurrency };
  const apart = Math.min(count, isHosting ? Math.max(1, concurrency - 1) : concurrency);
  if (!isHosting) return { inWorkers: parted(concurrency, apart), onHost: concurrency };
  const shares = parted(concurrency, apart + 1);
  return { inWorkers: shares.slice(0, apart), onHost: shares[apart] ?? 1 };
}

/** The whole in so many parts that differ by one at most, each at least 1. */
function parted(whole: number, parts: number): readonly number[] {
  return Array.from({ length: parts }, (_, part) => Math.max(1, Math.floor((whole + parts - 1 - part) / parts)));
}
