import type { AgentPlan } from '../types/plan.ts';
import type { AgentSubject, Scenario } from '../types/scenario.ts';
import { agentKey } from '../host/agent-key.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { checksSchemas, definitionOf, type PlanContext, planDraws } from './plan-context.ts';
import { withPrices } from './plan-prices.ts';

type AgentScenario = Scenario<AgentSubject>;

/** No limit in practice: trials wait for each other, and each call of an agent has its own time limit. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;

/** The plan of a scenario that asks an agent, which is done by the host. */
export function planAgent(
  scenario: AgentScenario,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): AgentPlan {
  const { prices, cassette } = options;
  return {
    index,
    scenario: withPrices(scenario, { prices, file: definitionOf(scenario, context)?.price, endpoints: {} }),
    ...planDraws(scenario, options),
    traits: {
      sync: false,
      repeatable: false,
      place: 'host',
      orderGroup: orderGroupOf(scenario, index, context),
      longestMs: LONGEST_MS,
    },
    userCode: scenario.expected.invariants?.similarity !== undefined,
    schemas: checksSchemas(scenario.expected),
    liveModels: [],
    liveNodes: [],
    blockSize: 1,
    ...(cassette !== null && { cassette: cassette.mode }),
  };
}

/** What an agent keeps from one call to the next must not depend on which worker was first. */
function orderGroupOf({ file, subject }: AgentScenario, index: number, { orderGroups }: PlanContext): number | null {
  const { agent } = subject;
  if (agent.atOnce !== null) return null;
  const key = agentKey(file, agent);
  const orderGroup = orderGroups.get(key) ?? index;
  orderGroups.set(key, orderGroup);
  return orderGroup;
}
