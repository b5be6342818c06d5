import path from 'node:path';
import { PasskError } from '../errors.ts';
import { AGENT_CALL, type AgentCallPayload } from '../plugin/live-node.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { createTarget } from '../target/create-target.ts';
import type { ProxySeat } from '../target/target.ts';
import type { Agent, AgentProxy } from '../types/agent.ts';
import type { Issue } from '../types/issue.ts';
import type { Permissions } from '../types/permissions.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import { AgentDesk } from './agent-desk.ts';

/** The agents of one run. Needs closing. */
export interface Agents {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** What must be known of their answers so far. */
  notices(): AgentNotices;
  close(): Promise<void>;
}

export interface AgentNotices {
  /** By contract: columns whose answers may depend on what an earlier column left in the agent. */
  readonly contaminated: Readonly<Record<string, readonly string[]>>;
  readonly issues: readonly Issue[];
}

export interface AgentServices {
  readonly permissions: Permissions;
  /** Where granted variables are. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder that names of contract files are relative to. */
  readonly root: string;
}

/**
 * Opens the agents that a plan asks; null: none. All of them are asked here, on the host, each by one trial at a time.
 * Throws `USAGE` with everything that is missing of grants.
 */
export async function openAgents(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  const asked = plan.scenarios.flatMap((scenario) => (scenario.agent === undefined ? [] : [scenario]));
  if (asked.length === 0) return null;
  const desks = new Map<string, AgentDesk>();
  const problems = new Set<string>();
  for (const { agent, scenario } of asked) {
    if (agent === undefined || desks.has(keyOf(agent, scenario.file))) continue;
    try {
      desks.set(keyOf(agent, scenario.file), await openDesk(agent, scenario.file, services));
    } catch (error) {
      if (!(error instanceof PasskError)) throw error;
      problems.add(error.message);
    }
  }
  const close = async (): Promise<void> => {
    await Promise.allSettled([...desks.values()].map((desk) => desk.close()));
  };
  if (problems.size > 0) {
    await close();
    throw missing([...problems]);
  }
  const deskOf = ({ agent, scenario }: ScenarioPlan): AgentDesk | undefined =>
    agent === undefined ? undefined : desks.get(keyOf(agent, scenario.file));
  const call: HostFunction = (given, signal) => {
    // Made by the ports of a trial, so the shape is known.
    const payload = given as unknown as AgentCallPayload;
    const of = plan.scenarios[payload.scenario];
    const desk = of === undefined ? undefined : deskOf(of);
    if (of === undefined || desk === undefined) throw new PasskError('INTERNAL', 'A call names no planned agent.');
    return desk.run({ payload, plan: of, signal });
  };
  return {
    functions: { [AGENT_CALL]: call },
    notices: () => noticesOf(asked, deskOf),
    close,
  };
}

/** Contracts of one file may bind one agent: then they share it, and what it remembers. */
function keyOf(agent: Agent, file: string): string {
  return JSON.stringify([path.dirname(file), agent]);
}

async function openDesk(agent: Agent, file: string, { permissions, env, root }: AgentServices): Promise<AgentDesk> {
  const folder = path.dirname(path.resolve(root, file));
  const seat = agent.proxy === null ? null : await openSeat(agent.proxy, permissions);
  try {
    return new AgentDesk(agent, createTarget(agent, { permissions, env, root, folder, seat }), seat);
  } catch (error) {
    await seat?.close();
    throw error;
  }
}

async function openSeat(proxy: AgentProxy, { net }: Permissions): Promise<ProxySeat> {
  // Only agents behind a proxy load what it is made of.
  const { openProxySeat } = await import('../target/proxy/proxy-seat.ts');
  return openProxySeat(proxy, net);
}

function missing(problems: readonly string[]): PasskError {
  const issues = problems.map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  return new PasskError('USAGE', problems.join(' '), { issues });
}

function noticesOf(
  asked: readonly ScenarioPlan[],
  deskOf: (plan: ScenarioPlan) => AgentDesk | undefined,
): AgentNotices {
  const contracts = new Map(asked.map((plan) => [plan.scenario.contract?.contract ?? plan.scenario.name, plan]));
  const found = [...contracts].flatMap(([contract, plan]) => {
    const desk = deskOf(plan);
    const columns = desk?.contaminated(contract) ?? [];
    return desk === undefined || columns.length === 0 ? [] : [{ contract, columns, why: whyOf(desk) }];
  });
  return {
    contaminated: Object.fromEntries(found.map(({ contract, columns }) => [contract, columns])),
    issues: found.map(({ contract, columns, why }) => ({
      code: 'agent_state',
      severity: 'warning',
      message: `Contract "${contract}": nothing brings its agent back between columns, and ${why}. What ran before may have changed the answers in ${columns.map((name) => `"${name}"`).join(', ')}.`,
      hint: 'Give the agent a reset_endpoint or a reset_function.',
    })),
  };
}

function whyOf({ found }: AgentDesk): string {
  return found?.kind === 'remembers'
    ? `it remembers earlier calls: ${found.why}`
    : 'it may remember earlier calls: the same prompt had different answers';
}
