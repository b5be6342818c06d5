import type { ScenarioPlan } from '../types/plan.ts';
import { factsOf } from '../types/subjects.ts';

/** True: nobody outside is asked and nothing is drawn, so that each trial is the first one again, however many there are. */
export function isConstant({ traits, userCode, scenario }: ScenarioPlan): boolean {
  // What goes wrong in a contract is drawn.
  return traits.repeatable && !userCode && scenario.part === undefined && !factsOf(scenario.subject).draws(scenario);
}
