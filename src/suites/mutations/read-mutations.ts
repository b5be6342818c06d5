import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import { KEEPING_MUTATIONS, MUTATION_TYPES, type MutationType } from '../../types/mutations/mutation.ts';
import { numberAt, tableAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** The mutations that a file declares. */
export interface Mutations {
  /** In the order of `MUTATION_TYPES`; []: none is declared. */
  readonly types: readonly MutationType[];
  /** The bar of mutated trials; null: that of the others. */
  readonly minPassRate: number | null;
}

/** The mutations of a file that fits its schema. Tells types that stand there twice. */
export function readMutations(data: JsonObject, report: Report): Mutations {
  if (valueAt(data, 'mutations') === undefined) return { types: [], minPassRate: null };
  const at: Pointer = ['mutations', 'types'];
  const table = tableAt(data, 'mutations');
  const minPassRate = numberAt(table, 'min_pass_rate') ?? null;
  if (valueAt(table, 'types') === undefined) return { types: KEEPING_MUTATIONS, minPassRate };
  const words = textsAt(table, 'types');
  for (const [index, word] of words.entries()) {
    if (words.indexOf(word) === index) continue;
    report({ code: 'duplicate_name', message: `The mutation "${word}" stands here twice.`, at: [...at, index] });
  }
  return { types: MUTATION_TYPES.filter((type) => words.includes(type)), minPassRate };
}
