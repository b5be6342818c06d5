import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { OutsideSessionPlan, RunPlan } from '../types/plan.ts';
import {
  SESSION_BEGIN,
  SESSION_CALL,
  SESSION_HOLD,
  type SessionAnswer,
  type SessionCallPayload,
  type SessionPayload,
} from '../types/agent.ts';
import { isOutsideSessionPlan } from '../types/subjects.ts';
import type { Agents } from './agent-functions.ts';
import { agentKey } from './agent-key.ts';
import { connectionIssues } from './agent-notices.ts';
import { type AgentServices, closeAll, openAll, openConnections } from './open-connections.ts';
import { HeldSessions } from './held-sessions.ts';
import { SessionSpan } from './session-span.ts';
import { headersOfRun } from '../values/trace-context.ts';
import { SessionClient } from './session-client.ts';
import { firstNames } from '../text/first-names.ts';

/** Named in a notice. */
const MOST_FILES = 3;

/**
 * Opens the agents that a plan holds sessions of; null: none. All of them are asked here, on the host.
 * Throws `USAGE` with everything that is missing of grants.
 */
export async function openSessionAgents(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  const plans = plan.scenarios.filter(isOutsideSessionPlan);
  if (plans.length === 0) return null;
  const first = new Map<string, OutsideSessionPlan>();
  for (const one of plans) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
  const clients = await openAll(first, async ({ scenario }) => {
    return new SessionClient(await openConnections(scenario.subject.agent.agent, scenario, services));
  });
  const asked = new Map(
    plans.map((one) => [one.index, { client: clients.get(keyOf(one)), system: one.scenario.subject.agent.system }]),
  );
  const spans = new Map(
    plans.flatMap(({ index, scenario: { ladder } }) =>
      ladder?.kind === 'concurrency' ? [[index, new SessionSpan(() => performance.now())] as const] : [],
    ),
  );
  const clientOf = ({ scenario }: SessionPayload): SessionClient => {
    const { client } = asked.get(scenario) ?? {};
    if (client === undefined) throw new PasskError('INTERNAL', 'A session names no planned agent.');
    return client;
  };
  const held = new HeldSessions(clientOf);
  const call: HostFunction = (value, signal) => {
    // Made by the runner of sessions, so the shape is known.
    const payload = value as unknown as SessionCallPayload;
    const { scenario, trial, session, messages, toolsUrl, modelUrl } = payload;
    const client = clientOf(payload);
    const system = asked.get(scenario)?.system ?? null;
    const name = plan.scenarios[scenario]?.scenario.name ?? '';
    const headers = headersOfRun(services.traceRun, name, trial);
    const asking = { session, messages, system, toolsUrl, modelUrl, traceHeaders: headers, signal };
    const ask = (): Promise<SessionAnswer> => client.ask(asking);
    return spans.get(scenario)?.within(messages.length === 1, ask) ?? ask();
  };
  return {
    functions: {
      [SESSION_HOLD]: held.hold,
      [SESSION_BEGIN]: held.begin,
      [SESSION_CALL]: call,
    },
    notices: () => ({ facts: {}, issues: noticesOf(plans, clients) }),
    spans,
    close: () => closeAll(clients),
  };
}

function keyOf({ scenario: { file, subject } }: OutsideSessionPlan): string {
  return agentKey(file, subject.agent.agent);
}

function noticesOf(
  plans: readonly OutsideSessionPlan[],
  clients: ReadonlyMap<string, SessionClient>,
): ReturnType<typeof connectionIssues> {
  return [...clients].flatMap(([key, client]) => {
    // Files of one folder share an agent that they bind alike.
    const files = [...new Set(plans.flatMap((one) => (keyOf(one) === key ? [one.scenario.file] : [])))];
    return connectionIssues(client, { who: `Sessions of ${firstNames(files, MOST_FILES)}`, table: 'agents' });
  });
}
