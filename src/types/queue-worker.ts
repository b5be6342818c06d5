import type { Amount, Count } from './numbers.ts';

/** A worker process of a queue, as the host of a run knows it. */
export interface QueueWorker {
  /** The name that the worker gave itself. */
  readonly name: string;
  /** Its threads; 0: it runs inline. */
  readonly workers: Count;
  /** Trials that it has run. */
  readonly trials: Count;
  /** While it was busy; null before its first trial. */
  readonly trialsPerSecond: Amount | null;
}
