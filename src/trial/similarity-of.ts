import type { CheckInfo } from '../checks/compile-checks.ts';
import { checkedSimilarity } from '../checks/invariants/checked-similarity.ts';
import { PasskError } from '../errors.ts';
import type { Registry } from '../plugin/registry.ts';
import type { ScenarioPlan } from '../types/plan.ts';

/** What the scenario compares texts with; {}: passk's own method. Throws where nobody brings it. */
export function similarityOf({ scenario }: ScenarioPlan, { similarities }: Registry): Pick<CheckInfo, 'similarity'> {
  const name = scenario.expected.invariants?.similarity;
  if (name === undefined) return {};
  const type = similarities.get(name);
  if (type === undefined) throw new PasskError('PLUGIN', `There is no similarity "${name}".`);
  return { similarity: checkedSimilarity(type) };
}
