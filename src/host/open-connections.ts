import path from 'node:path';
import { createTarget } from '../agents/create-target.ts';
import type { TrialProxy } from '../agents/target.ts';
import type { Agent, AgentProxy } from '../types/agent.ts';
import type { HasFilePlaces } from '../types/check-places.ts';
import type { Permissions } from '../types/permissions.ts';
import type { Location } from '../types/issue.ts';
import type { Scenario } from '../types/scenario.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import { type AgentConnection, AgentConnections } from './agent-connections.ts';
import { connectionsOf } from './connections-of.ts';
import { Missing } from '../source/missing.ts';

export interface AgentServices extends HasProcessCode, HasFilePlaces {
  readonly permissions: Permissions;
  /** Where granted variables are. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder that names of suite files are relative to. */
  readonly root: string;
  /** Calls at a time of agents that keep no state, at most. */
  readonly concurrency: number;
  /** The run that agents and models are told of; null: they are told nothing. */
  readonly traceRun: string | null;
}

/** The ways to the agent of a scenario. Throws what is missing of grants, with its places. */
export async function openConnections(
  agent: Agent,
  scenario: Scenario,
  { permissions, env, root, concurrency, processCode, filePlaces }: AgentServices,
): Promise<AgentConnections> {
  const folder = path.dirname(path.resolve(root, scenario.file));
  const at = (key: readonly string[]): Location | undefined => filePlaces?.ofAgent(scenario, key);
  const open = async (): Promise<AgentConnection> => {
    const proxy = agent.proxy === null ? null : await openProxy(agent.proxy, permissions);
    try {
      return { target: createTarget(agent, { permissions, env, root, folder, proxy, processCode, at }), proxy };
    } catch (error) {
      await proxy?.close();
      throw error;
    }
  };
  return new AgentConnections(await open(), { open, most: connectionsOf(agent, concurrency) });
}

async function openProxy(proxy: AgentProxy, { net }: Permissions): Promise<TrialProxy> {
  // Only agents behind a proxy load what it is made of.
  const { openTrialProxy } = await import('../agents/proxy/trial-proxy.ts');
  return openTrialProxy(proxy, net);
}

interface Closing {
  close(): Promise<void>;
}

/** What asks each agent, by the agent's key. Throws `USAGE` with everything that is missing of grants. */
export async function openAll<P, C extends Closing>(
  plansByAgent: ReadonlyMap<string, P>,
  open: (plans: P) => Promise<C>,
): Promise<ReadonlyMap<string, C>> {
  const clients = new Map<string, C>();
  const missing = new Missing();
  try {
    for (const [key, plans] of plansByAgent) {
      const client = await missing.try(() => open(plans));
      if (client !== null) clients.set(key, client);
    }
    missing.refuse();
  } catch (error) {
    await closeAll(clients);
    throw error;
  }
  return clients;
}

export async function closeAll(clients: ReadonlyMap<string, Closing>): Promise<void> {
  await Promise.allSettled([...clients.values()].map((client) => client.close()));
}
