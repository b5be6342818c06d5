import type { TrialProxy, Target } from '../agents/target.ts';
import { Permits } from './permits.ts';

/** A way to the agent that takes one call at a time, with what sees and breaks its own calls. */
export interface AgentConnection {
  readonly target: Target;
  /** Null: its own calls are out of sight. */
  readonly proxy: TrialProxy | null;
}

/** The ways to one agent: opened when they are needed, so many at most, given to whoever waits longest. */
export class AgentConnections {
  private readonly open: () => Promise<AgentConnection>;
  private readonly most: number;
  private readonly opened: AgentConnection[] = [];
  private readonly free: AgentConnection[] = [];
  private readonly waiting: (() => void)[] = [];
  private opening = 0;
  /** Connections that are being made ready. */
  private starting = 0;
  private sessions = 0;
  private readonly permits: Permits;

  /** `first` is there from the beginning. */
  constructor(
    first: AgentConnection,
    { open, most }: { readonly open: () => Promise<AgentConnection>; readonly most: number },
  ) {
    this.open = open;
    this.most = most;
    this.permits = new Permits(most);
    this.opened.push(first);
    this.free.push(first);
  }

  /** Does something on a connection of its own, when it is its turn. */
  async use<T>(work: (connection: AgentConnection) => Promise<T>): Promise<T> {
    return this.using(await this.take('ready'), work);
  }

  /** Resolves when one more session may go on, until `leave`. There are as many as connections, so that none waits. */
  async enter(signal: AbortSignal): Promise<void> {
    await this.permits.enter(signal);
    this.sessions++;
  }

  leave(): void {
    this.sessions--;
    this.permits.leave();
  }

  /** Makes a connection ready for each session that goes on; rejects where an agent cannot be started. */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.opened[0]?.target.resident === undefined) return;
    if (this.opened.filter(isReady).length + this.starting >= this.sessions) return;
    this.starting++;
    try {
      const connection = await this.take('unready');
      await this.using(connection, async ({ target }) => target.resident?.start(signal));
    } finally {
      this.starting--;
    }
  }

  /** Where requests go, for agents behind HTTP; null: nobody sees the way to it. */
  get url(): string | null {
    return this.opened[0]?.target.url ?? null;
  }

  /** How often processes of the agent were started anew. */
  get restarts(): number {
    return this.opened.reduce((sum, { target }) => sum + (target.restarts?.() ?? 0), 0);
  }

  /** True: the time of a process was up in its first call. */
  get wasLateAtFirst(): boolean {
    return this.opened.some(({ target }) => target.resident?.wasLateAtFirst === true);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.opened.flatMap(({ target, proxy }) => [target.close(), proxy?.close()]));
  }

  private async using<T>(connection: AgentConnection, work: (connection: AgentConnection) => Promise<T>): Promise<T> {
    try {
      return await work(connection);
    } finally {
      this.free.push(connection);
      this.waiting.shift()?.();
    }
  }

  /** Takes a free connection of the wanted kind, else any free one, else a new one, which is not ready. */
  private async take(wanted: 'ready' | 'unready'): Promise<AgentConnection> {
    for (;;) {
      const at = this.free.findIndex((one) => isReady(one) === (wanted === 'ready'));
      const hasRoom = this.opened.length + this.opening < this.most;
      if (at === -1 && hasRoom && (wanted === 'unready' || this.free.length === 0)) return this.openOne();
      const [connection] = this.free.splice(Math.max(0, at), 1);
      if (connection !== undefined) return connection;
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  private async openOne(): Promise<AgentConnection> {
    this.opening++;
    try {
      const connection = await this.open();
      this.opened.push(connection);
      return connection;
    } finally {
      this.opening--;
    }
  }
}

/** False: the next call would wait for a start. */
function isReady({ target }: AgentConnection): boolean {
  return target.resident?.isReady() ?? true;
}
