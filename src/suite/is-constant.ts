import { firstNames } from '../text/first-names.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { factsOf } from '../types/subjects.ts';

/** True: nobody outside is asked and nothing is drawn, so that each trial is the first one again, however many there are. */
export function isConstant({ traits, userCode, scenario }: ScenarioPlan): boolean {
  // What goes wrong in a contract is drawn.
  return traits.repeatable && !userCode && scenario.part === undefined && !factsOf(scenario.subject).draws(scenario);
}

/** That scenarios with these names are constant, as the beginning of a sentence about their trials. */
export function constantText(names: readonly string[], most: number): string {
  const [what, their] = names.length === 1 ? ['scenario', 'its'] : ['scenarios', 'their'];
  return `nothing is drawn in the ${what} ${firstNames(names, most)}, so that ${their} trials are all the same`;
}
