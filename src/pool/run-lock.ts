import { unlessAborted } from '../values/unless-aborted.ts';

/** Lets one run at a time use the workers; the others wait in the order in which they asked. */
export class RunLock {
  private last: Promise<void> = Promise.resolve();

  /** Resolves to what gives the turn back; null: the signal came first, so that nobody waits for it any more. */
  async take(signal: AbortSignal | undefined): Promise<(() => void) | null>;
  async take(): Promise<() => void>;
  async take(signal?: AbortSignal): Promise<(() => void) | null> {
    const before = this.last;
    let release: () => void = () => {};
    this.last = new Promise<void>((resolve) => {
      release = resolve;
    });
    if (signal === undefined) await before;
    else if ((await unlessAborted(before, signal)) === 'aborted') {
      void before.then(release);
      return null;
    }
    return release;
  }
}
