import type { SessionServer } from '../../effects/served/session-server.ts';
import { PasskError } from '../../errors.ts';
import { compileCannedModel } from '../../sessions/canned-agent-model.ts';
import {
  type CarryOut,
  OutsideAgentInSession,
  type OutsideAgentParts,
  type ServedPlaces,
} from '../../sessions/outside-agent.ts';
import {
  SESSION_BEGIN,
  SESSION_CALL,
  SESSION_HOLD,
  type SessionAnswer,
  type SessionCallPayload,
  type SessionPayload,
} from '../../types/agent.ts';
import type { Json } from '../../types/json.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { OutsideAgent } from '../../types/session.ts';
import type { HostCall } from '../live-ports.ts';
import { LivePorts } from '../live-ports.ts';
import type { Ending } from '../record/within-time.ts';
import { type AgentModelSource, ServedAgentModel } from './served-agent-model.ts';
import type { AgentMaker, Beginning } from './session-runner.ts';

export interface OutsideAgentsParts {
  readonly plan: SessionPlan;
  readonly agent: OutsideAgent;
  /** Null: nobody is there who asks agents, which breaks trials. */
  readonly callHost: HostCall | null;
}

/** Agents that the host asks, and what serves them the tools and models of their sessions. */
export class OutsideAgents {
  private readonly parts: OutsideAgentsParts;
  /** Null: no session has needed it yet. */
  private server: Promise<SessionServer> | null = null;

  constructor(parts: OutsideAgentsParts) {
    this.parts = parts;
  }

  /** For one session. Rejects where agents cannot be asked, or their tools not be served. */
  async ready({ trial, signal, over }: Beginning): Promise<AgentMaker> {
    const { plan, agent, callHost } = this.parts;
    if (callHost === null) throw new PasskError('USAGE', 'Nobody is there who asks the agent.');
    const { index: scenario, traits } = plan;
    const { tools } = plan.scenario.subject.world;
    const { servesTools = false } = agent;
    const modelOf = this.models();
    const server = servesTools || modelOf !== null ? await this.open(servesTools) : null;
    const payload: SessionPayload = { scenario, trial };
    const tell = (name: string, until: AbortSignal): Promise<Json> =>
      callHost(name, payload as unknown as Json, traits.longestMs, until);
    // Why it is not held is told to whoever begins it.
    tell(SESSION_HOLD, over.signal).catch(() => undefined);
    const session = (await tell(SESSION_BEGIN, signal)) as string;
    return (_, ending) => {
      const ask: OutsideAgentParts['ask'] = async (asked) => {
        const message: SessionCallPayload = { ...payload, session, ...asked };
        // Plain data both ways: made here, and by the function that asks agents.
        const answer = await callHost(SESSION_CALL, message as unknown as Json, traits.longestMs, ending.signal);
        return answer as unknown as SessionAnswer;
      };
      const model = modelOf?.(trial, ending) ?? null;
      const serve = (call: CarryOut): ServedPlaces | null => {
        const served = server?.serve({ tools: servesTools ? { list: tools, call } : null, model });
        if (served === undefined) return null;
        const { toolsUrl, modelUrl, end } = served;
        return { toolsUrl: servesTools ? toolsUrl : null, modelUrl: model && modelUrl, end };
      };
      return new OutsideAgentInSession({ ask, serve, model });
    };
  }

  async close(): Promise<void> {
    const server = await this.server?.catch(() => null);
    server?.close();
  }

  /** What answers for the model of each session; null: the agent asks its own. */
  private models(): ((trial: number, ending: Ending) => ServedAgentModel) | null {
    const { plan, agent, callHost } = this.parts;
    const { model } = agent;
    if (model === undefined) return null;
    const { name: backend, turns } = model;
    const { liveEndpoints = {}, liveModels } = plan;
    const endpoint = liveEndpoints[backend]?.endpoint ?? null;
    const nextOf = compileCannedModel(turns, plan.words);
    const isAsked = endpoint !== null || liveModels.includes(backend);
    const asked: AgentModelSource | null = isAsked
      ? { kind: 'asked', live: new LivePorts(plan, callHost), endpoint }
      : null;
    return (trial, { signal }) => {
      const source = asked ?? { kind: 'canned', next: nextOf(trial) };
      return new ServedAgentModel({ source, backend, trial, ending: signal });
    };
  }

  private async open(servesTools: boolean): Promise<SessionServer> {
    // Only agents that ask for it load what it is made of.
    this.server ??= import('../../effects/served/session-server.ts').then(({ openSessionServer }) =>
      openSessionServer(servesTools),
    );
    return this.server;
  }
}
