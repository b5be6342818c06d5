import { type Control, doneOf } from './control.ts';
import type { RunProgress } from './executor.ts';

/** Whole results so far: trials, and failed or broken ones among them. */
export interface Counted {
  readonly trials: number;
  readonly failed: number;
}

/** How far a run has come: the results that have arrived, and the trials that workers have counted since. */
export class ProgressCounter {
  private readonly control: Control;
  private readonly results: Counted;
  /** Trials per worker that have arrived since its work began. */
  private readonly arrived: { done: number; failed: number }[];
  private shown: RunProgress;

  constructor(control: Control, results: Counted, size: { readonly workers: number; readonly total: number }) {
    this.control = control;
    this.results = results;
    this.arrived = Array.from({ length: size.workers }, () => ({ done: 0, failed: 0 }));
    this.shown = { done: 0, total: size.total, failed: 0 };
  }

  /** A worker begins another piece of work. */
  begin(worker: number): void {
    this.arrived[worker] = { done: 0, failed: 0 };
  }

  /** What `take` adds to the results came from this worker, and is no longer counted from shared memory. */
  whileTaking(worker: number, take: () => void): void {
    const { trials, failed } = this.results;
    take();
    const arrived = this.arrived[worker];
    if (arrived === undefined) return;
    arrived.done += this.results.trials - trials;
    arrived.failed += this.results.failed - failed;
  }

  /** Numbers that never fall: they stand still while the work of a dead worker is done again. */
  read(): RunProgress {
    let { trials: done, failed } = this.results;
    for (const [worker, arrived] of this.arrived.entries()) {
      const published = doneOf(this.control, worker);
      done += Math.max(0, published.done - arrived.done);
      failed += Math.max(0, published.failed - arrived.failed);
    }
    const { total } = this.shown;
    this.shown = {
      done: Math.min(total, Math.max(this.shown.done, done)),
      total,
      failed: Math.max(this.shown.failed, failed),
    };
    return this.shown;
  }
}
