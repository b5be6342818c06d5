import { compileChaos } from '../../faults/chaos/compile-chaos.ts';
import { interferes } from '../../faults/chaos/fault-labels.ts';
import { AGENT_CALL, type AgentRun } from '../../types/agent.ts';
import type { AgentPlan } from '../../types/plan.ts';
import { askMutant, type MutationAsking, takesModel } from '../mutated/ask-mutation.ts';
import { type HostCall, LivePorts } from '../live-ports.ts';
import { HostRunner, type HostRunnerParts } from '../record/host-runner.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { recordAgent } from './record-agent.ts';

export interface AgentRunnerParts extends Pick<HostRunnerParts, 'callHost' | 'startClock'> {
  readonly plan: AgentPlan;
}

/** Has the host ask an agent. */
export function agentRunner({ plan, callHost, startClock }: AgentRunnerParts): SubjectRunner {
  const { subject, faults } = plan.scenario;
  const { prompts, baselines } = subject;
  const chaos = interferes(faults.chaos) ? compileChaos(faults.chaos, plan.words) : null;
  return new HostRunner({
    plan,
    callHost,
    startClock,
    request: { port: 'host', name: AGENT_CALL, payload: { prompts, baselines } },
    ask: async (call, trial, signal) => {
      const mutated = await mutatedPrompts(plan, { call, trial, signal });
      const payload = { scenario: plan.index, trial, ...(mutated !== null && { prompts: mutated }) };
      return call(AGENT_CALL, payload, plan.traits.longestMs, signal);
    },
    // Made by the function that asks agents.
    record: (trial, value) => recordAgent(trial, value as unknown as AgentRun, chaos),
  });
}

/** What a model makes of the prompts; null: nothing, they are asked as they stand in the plan. */
async function mutatedPrompts(
  plan: AgentPlan,
  {
    call,
    trial,
    signal,
  }: { readonly call: HostCall; readonly trial: number; readonly signal: AbortSignal | undefined },
): Promise<readonly string[] | null> {
  const { mutation, prompts } = plan.scenario.subject;
  if (mutation === undefined || !takesModel(mutation)) return null;
  const live = new LivePorts(plan, call);
  const ends = signal === undefined ? [] : [signal];
  const ask: MutationAsking['ask'] = (request, at) => live.ask(request, at, ends);
  const made: string[] = [];
  for (const [at, text] of prompts.entries()) {
    made.push(await askMutant(mutation, text, { ask, trial, message: at + 1 }));
  }
  return made;
}
