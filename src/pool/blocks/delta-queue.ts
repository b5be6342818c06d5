import type { Delta } from '../../types/delta.ts';

/** The queue is full when so many deltas wait, and until half of them have been taken. */
const MOST_WAITING = 1024;

/** Hands deltas from callbacks to one loop, which ends when the run does. */
export class DeltaQueue {
  private readonly waiting: Delta[] = [];
  private ended = false;
  private error: unknown;
  private wake: () => void = () => {};
  private isFull = false;
  private readonly onFull: (isFull: boolean) => void;

  /** `onFull` is called with true when those who fill the queue should pause, and with false when they may go on. */
  constructor(onFull: (isFull: boolean) => void) {
    this.onFull = onFull;
  }

  push(delta: Delta): void {
    this.waiting.push(delta);
    if (this.waiting.length >= MOST_WAITING) this.mark(true);
    this.wake();
  }

  private mark(isFull: boolean): void {
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    this.onFull(isFull);
  }

  /** Ends the loop, or makes it throw, once it has read what was pushed. */
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
        if (this.waiting.length <= MOST_WAITING / 2) this.mark(false);
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
