import { agentKey } from '../../host/agent-key.ts';
import { connectionsOf } from '../../host/connections-of.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { Agent } from '../../types/agent.ts';
import type { Issue } from '../../types/issue.ts';
import { DEFAULT_CONCURRENCY, type RunPlan, type ScenarioPlan } from '../../types/plan.ts';
import { isAgentPlan, isOutsideSessionPlan } from '../../types/subjects.ts';

/**
 * A warning before a run where more trials are wanted at once than its agents let in. Not part of the report, whose bytes
 * do not depend on how many trials were in flight.
 */
export function idleConcurrency(
  { scenarios }: RunPlan,
  { concurrency }: Pick<ResolvedRunOptions, 'concurrency'>,
): readonly Issue[] {
  if (concurrency <= DEFAULT_CONCURRENCY) return [];
  const waiting = scenarios.filter(({ traits }) => !traits.sync);
  const agents = new Map<string, number>();
  for (const plan of waiting) {
    const agent = agentOf(plan);
    // Others may use all of it.
    if (agent === null || plan.traits.waitsFor?.after !== undefined) return [];
    agents.set(agentKey(plan.scenario.file, agent), connectionsOf(agent, concurrency));
  }
  const most = [...agents.values()].reduce((sum, atOnce) => sum + atOnce, 0);
  if (agents.size === 0 || most >= concurrency) return [];
  const who = agents.size === 1 ? 'the agent of this run is' : `the ${agents.size} agents of this run are`;
  return [
    {
      code: 'idle_concurrency',
      severity: 'warning',
      message: `Of ${concurrency} trials at once (concurrency) ${most === 1 ? 'one is' : `${most} are`} used: ${who} asked no more at a time.`,
      hint: 'An agent that keeps nothing from call to call says stateless = true, and with concurrency in its table how many calls it takes at a time.',
    },
  ];
}

function agentOf(plan: ScenarioPlan): Agent | null {
  if (isAgentPlan(plan)) return plan.scenario.subject.agent;
  return isOutsideSessionPlan(plan) ? plan.scenario.subject.agent.agent : null;
}
