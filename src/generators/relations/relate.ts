import type { GeneratedScenario, SeededRandom } from '../../plugin/generator-type.ts';
import type { Relation } from '../../types/generated/generated-set.ts';
import { addContext } from './add-context.ts';
import { permuteTurns } from './permute-turns.ts';
import type { Related } from './related.ts';
import { renameIds } from './rename-ids.ts';

const CHANGES: Readonly<Record<Relation, (scenario: GeneratedScenario, random: SeededRandom) => Related | null>> = {
  renamed_ids: renameIds,
  permuted_turns: permuteTurns,
  irrelevant_context: addContext,
};

/** The scenario changed so that the same must become of it; null: it has nothing that could be changed. Pure. */
export function relate(relation: Relation, scenario: GeneratedScenario, random: SeededRandom): Related | null {
  return CHANGES[relation](scenario, random);
}
