import type { RunProgress } from './executor.ts';

/** Adds up the progress of runs that follow each other. What it tells never falls, although results may be taken back. */
export class SharedProgress {
  private readonly total: number;
  private readonly tell: ((progress: RunProgress) => void) | undefined;
  private before = { done: 0, failed: 0 };
  private current = { done: 0, failed: 0 };
  private reported = { done: 0, failed: 0 };

  constructor(total: number, tell: ((progress: RunProgress) => void) | undefined) {
    this.total = total;
    this.tell = tell;
  }

  /** Where the next of them tells its own. */
  part(): (progress: RunProgress) => void {
    this.before = { done: this.before.done + this.current.done, failed: this.before.failed + this.current.failed };
    this.current = { done: 0, failed: 0 };
    return ({ done, failed }) => {
      const { before, reported } = this;
      this.current = { done, failed };
      this.reported = {
        done: Math.max(reported.done, before.done + done),
        failed: Math.max(reported.failed, before.failed + failed),
      };
      this.tell?.({ ...this.reported, total: this.total });
    };
  }
}
