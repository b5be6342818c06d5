import type { Delta } from '../types/delta.ts';

/** Hands deltas from callbacks to one loop, which ends when the run does. */
export class DeltaQueue {
  private readonly waiting: Delta[] = [];
  private ended = false;
  private error: unknown;
  private wake: () => void = () => {};

  push(delta: Delta): void {
    this.waiting.push(delta);
    this.wake();
  }

  /** What has been pushed is still read; then the loop ends, or throws. */
  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    this.wake();
  }

  async *read(): AsyncGenerator<Delta, void, undefined> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.ended) break;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.error !== undefined) throw this.error;
  }
}
