import type { ProxySeat, Target } from '../target/target.ts';

/** A way to the agent that takes one call at a time, with what sees and breaks its own calls. */
export interface AgentLane {
  readonly target: Target;
  /** Null: its own calls are out of sight. */
  readonly seat: ProxySeat | null;
}

/** The ways to one agent: opened when they are needed, so many at most, given to whoever waits longest. */
export class AgentLanes {
  private readonly open: () => Promise<AgentLane>;
  private readonly most: number;
  private readonly opened: AgentLane[] = [];
  private readonly free: AgentLane[] = [];
  private readonly waiting: (() => void)[] = [];
  private opening = 0;

  /** `first` is there from the beginning. */
  constructor(first: AgentLane, { open, most }: { readonly open: () => Promise<AgentLane>; readonly most: number }) {
    this.open = open;
    this.most = most;
    this.opened.push(first);
    this.free.push(first);
  }

  /** Does something on a lane of its own, when it is its turn. */
  async use<T>(work: (lane: AgentLane) => Promise<T>): Promise<T> {
    const lane = await this.take();
    try {
      return await work(lane);
    } finally {
      this.free.push(lane);
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
    await Promise.allSettled(this.opened.flatMap(({ target, seat }) => [target.close(), seat?.close()]));
  }

  private async take(): Promise<AgentLane> {
    for (;;) {
      const lane = this.free.shift();
      if (lane !== undefined) return lane;
      if (this.opened.length + this.opening < this.most) return this.openOne();
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  private async openOne(): Promise<AgentLane> {
    this.opening++;
    try {
      const lane = await this.open();
      this.opened.push(lane);
      return lane;
    } finally {
      this.opening--;
    }
  }
}
