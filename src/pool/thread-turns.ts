import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs } from './monotonic-ms.ts';

/** Longest time between two turns of the event loop. */
const TURN_MS = 25;

/** Gives the thread back now and then in a long loop, so that signals, timers and messages are heard. */
export class ThreadTurns {
  private turnedAt = monotonicMs();

  /** True: the thread is to be given back. `now`: by `monotonicMs`. */
  isOver(now = monotonicMs()): boolean {
    return now - this.turnedAt >= TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.turnedAt = monotonicMs();
  }
}
