import { isWorkflow, workflowsOf } from '../types/subjects.ts';
import type { ScenarioPlan } from '../types/plan.ts';

/** True: nothing in it is drawn, so every trial is the same. Only a choice among variants, jitter and plug-ins draw. */
export function isConstant({ traits, userCode, scenario }: ScenarioPlan): boolean {
  // What goes wrong in a contract is drawn.
  if (
    !isWorkflow(scenario) ||
    scenario.part !== undefined ||
    !traits.repeatable ||
    userCode ||
    scenario.subject.turns.some(({ variants }) => variants.length > 1)
  )
    return false;
  return !workflowsOf(scenario.subject).some(({ nodes }) => nodes.some(({ retry }) => (retry?.jitter ?? 0) > 0));
}
