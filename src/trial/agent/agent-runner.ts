import { compileChaos } from '../../faults/chaos/compile-chaos.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { AGENT_CALL, type AgentRun } from '../../types/agent.ts';
import type { AgentPlan } from '../../types/plan.ts';
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
  const chaos = hasChaos(faults.chaos) ? compileChaos(faults.chaos, plan.words) : null;
  return new HostRunner({
    plan,
    callHost,
    startClock,
    request: { port: 'host', name: AGENT_CALL, payload: { prompts, baselines } },
    ask: (call, trial, signal) => call(AGENT_CALL, { scenario: plan.index, trial }, plan.traits.longestMs, signal),
    // Made by the function that asks agents.
    record: (trial, value) => recordAgent(trial, value as unknown as AgentRun, chaos),
  });
}
