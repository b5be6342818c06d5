import type { RunLock } from './run-lock.ts';

/** Whose MCP servers the workers of an executor keep from piece to piece: those of one run at a time. */
export class ServedRuns {
  private readonly lock: RunLock;
  private readonly endServers: () => Promise<void>;
  private current: { readonly until: AbortSignal; readonly number: number } | null = null;
  private last = 0;
  private ending: Promise<void> = Promise.resolve();

  /** `endServers` ends what workers keep; it is called while none of them works, which `lock` says. */
  constructor(lock: RunLock, endServers: () => Promise<void>) {
    this.lock = lock;
    this.endServers = endServers;
  }

  /** A number of the run that is over with this signal, which no other run has; null: it has no other pieces. */
  numberOf(until: AbortSignal | undefined): number | null {
    if (until === undefined || until.aborted) return null;
    if (this.current?.until === until) return this.current.number;
    const number = ++this.last;
    this.current = { until, number };
    until.addEventListener('abort', () => void this.endRun(number), { once: true });
    return number;
  }

  /** Resolves when workers keep nothing. The caller sees to it that none of them works. */
  end(): Promise<void> {
    if (this.current !== null) this.ending = this.endServers();
    this.current = null;
    return this.ending;
  }

  private async endRun(number: number): Promise<void> {
    const release = await this.lock.take();
    // Otherwise the workers have turned to another run, and ended the servers of this one before.
    if (this.current?.number === number) await this.end();
    release();
  }
}
