import type { RealTime } from '../../types/real-time.ts';

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

/** What tells something to end; its signal is made when it is first asked for, which most never do. */
export type Ending = Pick<AbortController, 'signal'>;

/**
 * What something comes to that may take too long. It is told to end when its time is up, or nobody waits any more, and it is
 * not waited for: code of the user may go on for ever.
 */
export async function withinTime<T>(
  { signal, timeoutMs, startClock }: TimeLimit,
  begin: (ending: Ending) => Underway<T>,
): Promise<T> {
  const ending = new AbortController();
  const stop = (): void => ending.abort(signal.reason);
  let isAsked = false;
  let cancel = (): void => undefined;
  try {
    const { ended, late } = begin({
      get signal() {
        if (!isAsked) {
          isAsked = true;
          if (signal.aborted) stop();
          else signal.addEventListener('abort', stop, { once: true });
        }
        return ending.signal;
      },
    });
    // One promise in place of a race: where code of the user runs, Node follows each of them.
    return await new Promise<T>((resolve, reject) => {
      cancel = startClock().alarm(timeoutMs * 1000, () => {
        try {
          resolve(late());
        } catch (error) {
          reject(error as Error);
        }
        ending.abort(new Error(`no answer within ${timeoutMs} ms`));
      });
      ended.then(resolve, reject);
    });
  } finally {
    cancel();
    if (isAsked) signal.removeEventListener('abort', stop);
  }
}
