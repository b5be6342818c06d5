import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { createTarget } from '../target/create-target.ts';
import type { TrialProxy } from '../target/target.ts';
import { AGENT_CALL, type Agent, type AgentCallPayload, type AgentProxy } from '../types/agent.ts';
import type { Issue } from '../types/issue.ts';
import type { Permissions } from '../types/permissions.ts';
import { isAgentPlan } from '../types/subjects.ts';
import type { AgentPlan, RunPlan } from '../types/plan.ts';
import { agentKey } from './agent-key.ts';
import { AgentClient, columnOf } from './agent-client.ts';
import { type AgentConnection, AgentConnections } from './agent-connections.ts';
import { type AgentNotices, agentNotices } from './agent-notices.ts';

/** The agents of one run. Needs closing. */
export interface Agents {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** What must be known of their answers so far. */
  notices(): AgentNotices;
  close(): Promise<void>;
}

export interface AgentServices {
  readonly permissions: Permissions;
  /** Where granted variables are. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder that names of contract files are relative to. */
  readonly root: string;
  /** Calls at a time of agents that keep no state, at most. */
  readonly concurrency: number;
}

/**
 * Opens the agents that a plan asks; null: none. All of them are asked here, on the host.
 * Throws `USAGE` with everything that is missing of grants.
 */
export async function openAgents(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  const agentPlans = plan.scenarios.filter(isAgentPlan);
  if (agentPlans.length === 0) return null;
  const clients = new Map<string, AgentClient>();
  const problems = new Set<string>();
  for (const [key, plans] of byAgent(agentPlans)) {
    try {
      clients.set(key, await openClient(plans, services));
    } catch (error) {
      if (!(error instanceof PasskError)) throw error;
      problems.add(error.message);
    }
  }
  const close = async (): Promise<void> => {
    await Promise.allSettled([...clients.values()].map((client) => client.close()));
  };
  if (problems.size > 0) {
    await close();
    throw missing([...problems]);
  }
  const clientOf = (scenario: AgentPlan): AgentClient | undefined => clients.get(keyOf(scenario));
  const call: HostFunction = (value, signal) => {
    // Made by the ports of a trial, so the shape is known.
    const payload = value as unknown as AgentCallPayload;
    const of = plan.scenarios[payload.scenario];
    const client = of !== undefined && isAgentPlan(of) ? clientOf(of) : undefined;
    if (of === undefined || !isAgentPlan(of) || client === undefined)
      throw new PasskError('INTERNAL', 'A call names no planned agent.');
    return client.run({ trial: payload.trial, plan: of, signal });
  };
  return {
    functions: { [AGENT_CALL]: call },
    notices: () => agentNotices(byContract(agentPlans, clientOf)),
    close,
  };
}

function keyOf({ scenario }: AgentPlan): string {
  return agentKey(scenario.file, scenario.subject.agent);
}

function byAgent(agentPlans: readonly AgentPlan[]): ReadonlyMap<string, readonly AgentPlan[]> {
  const groups = new Map<string, AgentPlan[]>();
  for (const plan of agentPlans) groups.set(keyOf(plan), [...(groups.get(keyOf(plan)) ?? []), plan]);
  return groups;
}

function byContract(
  agentPlans: readonly AgentPlan[],
  clientOf: (plan: AgentPlan) => AgentClient | undefined,
): ReadonlyMap<string, AgentClient> {
  const clients = new Map<string, AgentClient>();
  for (const plan of agentPlans) {
    const client = clientOf(plan);
    if (client !== undefined) clients.set(plan.scenario.part?.of ?? plan.scenario.name, client);
  }
  return clients;
}

async function openClient(
  plans: readonly AgentPlan[],
  { permissions, env, root, concurrency }: AgentServices,
): Promise<AgentClient> {
  const [first] = plans;
  if (first === undefined) throw new PasskError('INTERNAL', 'No agent is planned.');
  const { scenario } = first;
  const { agent } = scenario.subject;
  const folder = path.dirname(path.resolve(root, scenario.file));
  const columns = new Set(plans.map((plan) => JSON.stringify(columnOf(plan))));
  const open = async (): Promise<AgentConnection> => {
    const proxy = agent.proxy === null ? null : await openProxy(agent.proxy, permissions);
    try {
      return { target: createTarget(agent, { permissions, env, root, folder, proxy }), proxy };
    } catch (error) {
      await proxy?.close();
      throw error;
    }
  };
  const connections = new AgentConnections(await open(), { open, most: connectionsOf(agent, concurrency) });
  return new AgentClient(agent, { connections, isShared: columns.size > 1 });
}

/** How many calls it is asked at a time. One proxy sees one trial, so more need agents that are told a port of their own. */
function connectionsOf({ atOnce, proxy, target }: Agent, concurrency: number): number {
  const isFixed = proxy !== null && (proxy.port !== 0 || target.kind === 'http');
  return atOnce === null || isFixed ? 1 : Math.min(atOnce, concurrency);
}

async function openProxy(proxy: AgentProxy, { net }: Permissions): Promise<TrialProxy> {
  // Only agents behind a proxy load what it is made of.
  const { openTrialProxy } = await import('../target/proxy/trial-proxy.ts');
  return openTrialProxy(proxy, net);
}

function missing(problems: readonly string[]): PasskError {
  const issues = problems.map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  return new PasskError('USAGE', problems.join(' '), { issues });
}
