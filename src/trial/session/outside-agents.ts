import type { ToolServer } from '../../effects/tools/tool-server.ts';
import { PasskError } from '../../errors.ts';
import { OutsideAgentInSession, type OutsideAgentParts } from '../../sessions/outside-agent.ts';
import { SESSION_CALL, type SessionAnswer, type SessionCallPayload } from '../../types/agent.ts';
import type { Json } from '../../types/json.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { OutsideAgent } from '../../types/session.ts';
import type { HostCall } from '../live-ports.ts';
import type { AgentMaker } from './session-runner.ts';

export interface OutsideAgentsParts {
  readonly plan: SessionPlan;
  readonly agent: OutsideAgent;
  /** Null: nobody is there who asks agents, which breaks trials. */
  readonly callHost: HostCall | null;
}

/** Agents that the host asks, and what serves them the tools of their sessions. */
export class OutsideAgents {
  private readonly parts: OutsideAgentsParts;
  /** Null: no session has needed it yet. */
  private server: Promise<ToolServer> | null = null;

  constructor(parts: OutsideAgentsParts) {
    this.parts = parts;
  }

  /** Rejects where agents cannot be asked, or their tools not be served. */
  async ready(): Promise<AgentMaker> {
    const { plan, agent, callHost } = this.parts;
    if (callHost === null) throw new PasskError('USAGE', 'Nobody is there who asks the agent.');
    const { index: scenario, traits } = plan;
    const { tools } = plan.scenario.subject.world;
    const server = agent.servesTools === true ? await this.open() : null;
    const serve: OutsideAgentParts['serve'] = server && ((call) => server.serve({ list: tools, call }));
    return (_, { signal }) => {
      const ask: OutsideAgentParts['ask'] = async (asked) => {
        const payload: SessionCallPayload = { scenario, ...asked };
        // Plain data both ways: made here, and by the function that asks agents.
        const answer = await callHost(SESSION_CALL, payload as unknown as Json, traits.longestMs, signal);
        return answer as unknown as SessionAnswer;
      };
      return new OutsideAgentInSession({ ask, serve });
    };
  }

  async close(): Promise<void> {
    const server = await this.server?.catch(() => null);
    server?.close();
  }

  private async open(): Promise<ToolServer> {
    // Only agents that ask for it load what it is made of.
    this.server ??= import('../../effects/tools/tool-server.ts').then(({ openToolServer }) => openToolServer());
    return this.server;
  }
}
