import type { RunPlan } from '../types/plan.ts';
import type { SuitePlan } from '../types/suite-plan.ts';

/** How many scenarios of a plan ask anybody outside, and how many of them cost money. */
export function askedOutside({ scenarios }: RunPlan): Pick<SuitePlan, 'asking' | 'paying'> {
  return {
    asking: scenarios.filter(({ traits }) => !traits.repeatable).length,
    paying: scenarios.filter(({ liveEndpoints }) => liveEndpoints !== undefined).length,
  };
}
