import type { RealTime } from '../types/real-time.ts';

/** Why a wait ended without what was waited for: its time was up, or the whole trial is over. */
export type Unanswered = 'late' | 'halted';

/** When a wait is given up, microseconds from now. */
export interface TimeLimit {
  readonly us: number;
  readonly realTime: RealTime;
}

/** What the walks of one trial wait for outside of it. Whatever ends the trial ends every wait. */
export class Waits {
  /** Null: nobody has waited yet. */
  private open: Set<() => void> | null = null;

  /** Ends all waits with `halted`. */
  halt(): void {
    for (const end of [...(this.open ?? [])]) end();
  }

  /** What comes first: the promise, `late` at the limit (null: none), or `halted`. */
  first<T>(promise: Promise<T>, limit: TimeLimit | null): Promise<T | Unanswered> {
    this.open ??= new Set();
    const { open } = this;
    return new Promise((resolve, reject) => {
      const halted = (): void => settle(() => resolve('halted'));
      const settle = (tell: () => void): void => {
        disarm();
        open.delete(halted);
        tell();
      };
      const disarm = limit?.realTime.alarm(limit.us, () => settle(() => resolve('late'))) ?? (() => undefined);
      open.add(halted);
      // Both handlers stay: what comes after the wait has ended is of no interest, a rejection included.
      promise.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error as Error)),
      );
    });
  }
}
