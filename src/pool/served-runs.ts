import type { KeptServers } from './kept-servers.ts';
import type { RunLock } from './run-lock.ts';

/** A run whose MCP servers workers keep from piece to piece. */
export interface RunServers {
  /** A number that no other run has. */
  readonly run: number;
  readonly servers: KeptServers;
}

/** Whose MCP servers the workers of an executor keep from piece to piece: those of one run at a time. */
export class ServedRuns {
  private readonly lock: RunLock;
  private readonly endServers: (needed: readonly string[]) => Promise<void>;
  private current: RunServers | null = null;
  private readonly heard = new WeakSet<KeptServers>();
  private last = 0;
  private ending: Promise<void> = Promise.resolve();

  /** `endServers` ends what workers keep, but for those needed; it is called while none of them works, which `lock` says. */
  constructor(lock: RunLock, endServers: (needed: readonly string[]) => Promise<void>) {
    this.lock = lock;
    this.endServers = endServers;
  }

  /** The run that workers are to keep servers of after a piece; null: none. */
  turnTo(servers: KeptServers | undefined): RunServers | null {
    if (servers === undefined) return null;
    if (this.current?.servers !== servers) this.current = { servers, run: ++this.last };
    if (!this.heard.has(servers)) servers.onFewer(() => void this.endUnneeded(servers));
    this.heard.add(servers);
    return this.current;
  }

  /** Resolves when workers keep nothing. The caller sees to it that none of them works. */
  end(): Promise<void> {
    if (this.current !== null) this.ending = this.endServers([]);
    this.current = null;
    return this.ending;
  }

  private async endUnneeded(servers: KeptServers): Promise<void> {
    const release = await this.lock.take();
    // Otherwise the workers have turned to another run, and ended the servers of this one before.
    const needed = this.current?.servers === servers ? servers.needed : null;
    if (needed?.length === 0) await this.end();
    else if (needed !== null) await this.endServers(needed);
    release();
  }
}
