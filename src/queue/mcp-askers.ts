import { KeptServers } from '../pool/kept-servers.ts';
import { shapedJson } from '../records/shaped.ts';
import { mcpUsers } from '../trial/mcp-users.ts';
import type { RunPlan } from '../types/plan.ts';
import type { ClaimedPlan } from './plan-store.ts';
import { askersSchema } from './queue.schema.ts';

/** What a host tells workers of MCP servers: which of the scenarios that name one have blocks left. */
export class McpAskers {
  private readonly scenarios: readonly number[];

  constructor(plan: RunPlan) {
    this.scenarios = [...new Set(mcpUsers(plan).flatMap(({ scenarios }) => scenarios))];
  }

  /** `left`: positions of the scenarios that have blocks left. Null: no scenario names a server. */
  encode(left: () => ReadonlySet<number>): string | null {
    if (this.scenarios.length === 0) return null;
    const positions = left();
    return JSON.stringify(this.scenarios.filter((scenario) => positions.has(scenario)));
  }
}

/** The MCP servers that a worker has met in the claims of a run, of which it keeps those that the host says are still asked. */
export class McpServersMet {
  readonly servers: KeptServers;
  /** Positions in the whole plan by what `mcpIdentity` gives. */
  private readonly scenarios = new Map<string, Set<number>>();
  private left: ReadonlySet<number> | null = null;

  /** `until`: aborted when the worker's part in the run is over. */
  constructor(until: AbortSignal) {
    this.servers = new KeptServers(until);
  }

  /** Notes who may ask which server in a claim. */
  meet({ plan, positions }: ClaimedPlan): void {
    for (const { identity, scenarios } of mcpUsers(plan)) {
      const all = this.scenarios.get(identity) ?? new Set();
      for (const index of scenarios) all.add(positions[index] ?? index);
      this.scenarios.set(identity, all);
    }
    this.compare();
  }

  /** Takes what the host tells. Anybody with access to Redis may have put anything there. */
  hear(text: unknown): void {
    const positions = shapedJson<readonly number[]>(text, askersSchema);
    if (positions === null) return;
    this.left = new Set(positions);
    this.compare();
  }

  private compare(): void {
    const { left } = this;
    if (left === null) return;
    const met = [...this.scenarios].filter(([, scenarios]) => [...scenarios].some((scenario) => left.has(scenario)));
    this.servers.need(met.map(([identity]) => identity));
  }
}
