import { PasskError } from '../../errors.ts';
import { OutsideAgentInSession } from '../../sessions/outside-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import { SESSION_CALL, type SessionAnswer, type SessionCallPayload } from '../../types/agent.ts';
import type { Json } from '../../types/json.ts';
import type { HostCall } from '../live-ports.ts';
import type { AgentMaker } from './session-runner.ts';

/** Agents that the host asks. `callHost` null: nobody is there who asks them, which breaks trials. */
export function outsideAgents(plan: SessionPlan, callHost: HostCall | null): () => AgentMaker {
  const { index: scenario, traits } = plan;
  return () => {
    if (callHost === null) throw new PasskError('USAGE', 'Nobody is there who asks the agent.');
    return (_, { signal }) =>
      new OutsideAgentInSession(async (session, messages) => {
        const payload: SessionCallPayload = { scenario, session, messages };
        // Plain data both ways: made here, and by the function that asks agents.
        const answer = await callHost(SESSION_CALL, payload as unknown as Json, traits.longestMs, signal);
        return answer as unknown as SessionAnswer;
      });
  };
}
