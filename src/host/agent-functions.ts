import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { AGENT_CALL, type AgentCallPayload } from '../types/agent.ts';
import { isAgentPlan } from '../types/subjects.ts';
import type { AgentPlan, RunPlan } from '../types/plan.ts';
import { agentKey } from './agent-key.ts';
import { AgentClient, columnOf } from './agent-client.ts';
import { type AgentNotices, agentNotices } from './agent-notices.ts';
import { type AgentServices, closeAll, openAll, openConnections } from './open-connections.ts';
import type { SessionSpan } from './session-span.ts';

/** The agents of one run. Needs closing. */
export interface Agents {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** What must be known of their answers so far. */
  notices(): AgentNotices;
  /** When sessions were under way, by the scenario's position in the plan; absent: nobody looked. */
  readonly spans?: ReadonlyMap<number, SessionSpan>;
  close(): Promise<void>;
}

/**
 * Opens the agents that a plan asks; null: none. All of them are asked here, on the host.
 * Throws `USAGE` with everything that is missing of grants.
 */
export async function openAgents(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  const agentPlans = plan.scenarios.filter(isAgentPlan);
  if (agentPlans.length === 0) return null;
  const clients = await openAll(byAgent(agentPlans), (plans) => openClient(plans, services));
  const clientOf = (scenario: AgentPlan): AgentClient | undefined => clients.get(keyOf(scenario));
  const call: HostFunction = (value, signal) => {
    // Made by the ports of a trial, so the shape is known.
    const payload = value as unknown as AgentCallPayload;
    const of = plan.scenarios[payload.scenario];
    const client = of !== undefined && isAgentPlan(of) ? clientOf(of) : undefined;
    if (of === undefined || !isAgentPlan(of) || client === undefined)
      throw new PasskError('INTERNAL', 'A call names no planned agent.');
    const { trial, prompts = of.scenario.subject.prompts } = payload;
    return client.run({ trial, plan: of, prompts, signal });
  };
  return {
    functions: { [AGENT_CALL]: call },
    notices: () => agentNotices(byContract(agentPlans, clientOf)),
    close: () => closeAll(clients),
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

async function openClient(plans: readonly AgentPlan[], services: AgentServices): Promise<AgentClient> {
  const [first] = plans;
  if (first === undefined) throw new PasskError('INTERNAL', 'No agent is planned.');
  const { scenario } = first;
  // What is left for a replay is not looked for: it would take calls of tools.
  const asked = plans.filter((plan) => plan.scenario.faults.chaos?.recorded === undefined);
  const columns = new Set(asked.map((plan) => JSON.stringify(columnOf(plan))));
  const connections = await openConnections(scenario.subject.agent, scenario, services);
  return new AgentClient(scenario.subject.agent, {
    connections,
    isShared: columns.size > 1,
    traceRun: services.traceRun,
  });
}
