import type { AgentPlan } from '../../types/plan.ts';
import type { AgentSubject, Scenario } from '../../types/scenario.ts';
import { isJudgedByCode } from '../../types/scenarios/judging-code.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { planMutation } from '../sessions/plan-session-models.ts';
import { orderGroupOf } from '../order-group.ts';
import { checksSchemas, definitionOf, type PlanContext, planDraws } from './plan-context.ts';
import { withPrices } from './plan-prices.ts';
import { refuseRecordedModules } from './recorded-modules.ts';

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
  if (cassette !== null) refuseRecordedModules(scenario);
  return {
    index,
    scenario: withPrices(scenario, { prices, file: definitionOf(scenario, context)?.price, endpoints: {} }),
    ...planDraws(scenario, options),
    traits: {
      sync: false,
      repeatable: false,
      place: 'host',
      orderGroup: orderGroupOf({ file: scenario.file, agent: scenario.subject.agent }, index, context),
      longestMs: LONGEST_MS,
    },
    userCode: isJudgedByCode(scenario.expected),
    schemas: checksSchemas(scenario.expected),
    liveModels: [],
    liveNodes: [],
    ...planMutation(scenario, options),
    blockSize: 1,
    ...(cassette !== null && { cassette: cassette.mode }),
    folder: context.root,
  };
}
