import type { ResolvedRunOptions } from '../../settings/options.ts';
import { type AnsweredPlan, BLOCK_SIZE } from '../../types/plan.ts';
import type { AnsweredSubject } from '../../types/answered-subject.ts';
import type { Scenario } from '../../types/scenario.ts';
import { isJudgedByCode, judgingModules } from '../../types/scenarios/judging-code.ts';
import { checksSchemas, definitionOf, type PlanContext, planDraws } from '../plan/plan-context.ts';
import { withPrices } from '../plan/plan-prices.ts';

/** The plan of a scenario whose answers are known beforehand: nobody is asked. */
export function planAnswered(
  scenario: Scenario<AnsweredSubject>,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): AnsweredPlan {
  const userCode = isJudgedByCode(scenario.expected);
  const { prices } = options;
  return {
    index,
    scenario: withPrices(scenario, { prices, file: definitionOf(scenario, context)?.price, endpoints: {} }),
    ...planDraws(scenario, options),
    sampler: 'seeded',
    traits: {
      sync: true,
      repeatable: true,
      place: userCode ? 'worker' : 'here',
      orderGroup: null,
      longestMs: scenario.timeoutMs,
    },
    userCode,
    schemas: checksSchemas(scenario.expected),
    liveModels: [],
    liveNodes: [],
    blockSize: BLOCK_SIZE,
    ...(judgingModules(scenario.expected).length > 0 && { folder: context.root }),
  };
}
