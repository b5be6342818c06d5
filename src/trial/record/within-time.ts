import type { RealTime } from '../../types/real-time.ts';
import { withAnySignal } from '../../values/with-any-signal.ts';

export interface TimeLimit {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly startClock: () => RealTime;
}

/** Something that has begun. */
export interface Underway<T> {
  readonly ended: Promise<T>;
  /** The result where the time is up before it has ended; what it throws rejects. */
  readonly late: () => T;
}

/**
 * What something comes to that may take too long. Its signal is aborted when its time is up, and it is not waited for: code of
 * the user may go on for ever.
 */
export function withinTime<T>(
  { signal, timeoutMs, startClock }: TimeLimit,
  begin: (signal: AbortSignal) => Underway<T>,
): Promise<T> {
  const timeUp = new AbortController();
  return withAnySignal([signal, timeUp.signal], async (either) => {
    const { ended, late } = begin(either);
    let cancel = (): void => undefined;
    const overdue = new Promise<T>((resolve, reject) => {
      cancel = startClock().alarm(timeoutMs * 1000, () => {
        try {
          resolve(late());
        } catch (error) {
          reject(error as Error);
        }
        timeUp.abort(new Error(`no answer within ${timeoutMs} ms`));
      });
    });
    try {
      return await Promise.race([ended, overdue]);
    } finally {
      cancel();
    }
  });
}
