import { SMALL_TALK } from '../../mutations/text-mutations.ts';
import type { GeneratedScenario, SeededRandom } from '../../plugin/generator-type.ts';
import type { Json } from '../../types/json.ts';
import { changeAt } from './change-at.ts';
import { type Related, related } from './related.ts';

/** Small talk before and behind what the subject reads, a line each. */
export function addContext({ document, context = [] }: GeneratedScenario, random: SeededRandom): Related | null {
  if (context.length === 0) return null;
  let made: Json = document;
  for (const place of context) {
    const [before, behind] = random.shuffle(SMALL_TALK);
    const next = changeAt(made, place, (text) => (typeof text === 'string' ? `${before}\n${text}\n${behind}` : null));
    if (next === null) return { ok: false, problem: `No text stands at "${place}", which its \`context\` names.` };
    made = next;
  }
  return related(made);
}
