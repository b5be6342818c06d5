import type { GeneratedScenario, SeededRandom } from '../../plugin/generator-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { changeAt } from './change-at.ts';
import { type Related, related } from './related.ts';
import { selectPath } from '../../values/select-path.ts';

/** What may stand in any order stands in another one, the same at all places of a group. */
export function permuteTurns({ document, independent = [] }: GeneratedScenario, random: SeededRandom): Related | null {
  let made: Json = document;
  let isChanged = false;
  for (const group of independent) {
    const counts = group.map((place) => partsOf(selectPath(document, place))?.length ?? 0);
    const [count = 0] = counts;
    const odd = counts.findIndex((one) => one !== count || one === 0);
    if (odd !== -1) {
      const problem = `At "${group[odd]}" stand ${counts[odd]} parts, at "${group[0]}" ${count}: their order cannot be the same.`;
      return { ok: false, problem };
    }
    if (count < 2) continue;
    isChanged = true;
    const order = otherOrder(count, random);
    for (const place of group) made = changeAt(made, place, (part) => reordered(part, order)) ?? made;
  }
  return isChanged ? related(made) : null;
}

/** Never the order that it has. */
function otherOrder(count: number, random: SeededRandom): readonly number[] {
  const order = random.shuffle(Array.from({ length: count }, (_, n) => n));
  if (order.some((place, n) => place !== n)) return order;
  return [...order.slice(1), ...order.slice(0, 1)];
}

/** The entries of a list or the lines of a text; null: it has no parts. */
function partsOf(value: Json | undefined): readonly Json[] | null {
  if (typeof value === 'string') return value.split('\n');
  return isJsonArray(value) ? value : null;
}

function reordered(value: Json, order: readonly number[]): Json | null {
  const parts = partsOf(value);
  if (parts === null) return null;
  const next = order.map((place) => parts[place] ?? null);
  return typeof value === 'string' ? next.join('\n') : next;
}
