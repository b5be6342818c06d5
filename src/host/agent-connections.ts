import type { TrialProxy, Target } from '../agents/target.ts';

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

  /** `first` is there from the beginning. */
  constructor(
    first: AgentConnection,
    { open, most }: { readonly open: () => Promise<AgentConnection>; readonly most: number },
  ) {
    this.open = open;
    this.most = most;
    this.opened.push(first);
    this.free.push(first);
  }

  /** Does something on a connection of its own, when it is its turn. */
  async use<T>(work: (connection: AgentConnection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    try {
      return await work(connection);
    } finally {
      this.free.push(connection);
      this.waiting.shift()?.();
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

  async close(): Promise<void> {
    await Promise.allSettled(this.opened.flatMap(({ target, proxy }) => [target.close(), proxy?.close()]));
  }

  private async take(): Promise<AgentConnection> {
    for (;;) {
      const connection = this.free.shift();
      if (connection !== undefined) return connection;
      if (this.opened.length + this.opening < this.most) return this.openOne();
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
