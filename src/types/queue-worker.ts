/** A worker process of a queue, as the host of a run knows it. */
export interface QueueWorker {
  readonly name: string;
  /** Its threads; 0: it runs inline. */
  readonly workers: number;
  readonly trials: number;
  /** While it was busy; null before its first trial. */
  readonly trialsPerSecond: number | null;
}
