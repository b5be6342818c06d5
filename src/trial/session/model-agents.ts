import { ModelAgentInSession, type AskModel } from '../../sessions/model-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { ToolDeclaration } from '../../types/message.ts';
import type { ModelAgent } from '../../types/session.ts';
import { type HostCall, LivePorts } from '../live-ports.ts';
import type { AgentMaker } from './session-runner.ts';

/** Agents that are models, which the host asks: it has their keys, their limits and the budget of the run. */
export function modelAgents(
  plan: SessionPlan,
  { model, system }: ModelAgent,
  callHost: HostCall | null,
): () => AgentMaker {
  const live = new LivePorts(plan, callHost);
  const tools: readonly ToolDeclaration[] = plan.scenario.subject.world.tools.map(
    ({ name, description, parameters }) => ({ name, description, parameters: { type: 'object', ...parameters } }),
  );
  const called = plan.liveEndpoints?.[model]?.endpoint.model ?? null;
  const agentOf: AgentMaker = (trial, ending) => {
    let call = 0;
    const ask: AskModel = async (messages) => {
      call++;
      const at = { trial, walk: '', node: 'agent', visit: call, attempt: 1, call, fromModel: false };
      const question = { port: 'model', backend: model, messages, maxTokens: null, repair: false } as const;
      const request = tools.length === 0 ? question : { ...question, tools };
      const { reply } = await live.ask(request, at, [ending.signal]);
      if (reply.kind === 'model') {
        const { parts, usage, finish } = reply;
        return { kind: 'answer', parts, usage, finish };
      }
      if (reply.kind === 'error') {
        const { message, usage } = reply;
        return { kind: 'error', message, ...(usage !== undefined && { usage }) };
      }
      throw new Error(reply.kind === 'broken' ? reply.message : 'The model of the agent gave no answer.');
    };
    return new ModelAgentInSession({ ask, system, model: called });
  };
  return () => agentOf;
}
