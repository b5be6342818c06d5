import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import {
  KEEPING_MUTATIONS,
  MODEL_MUTATIONS,
  MUTATION_TYPES,
  type MutationType,
  type SessionMutation,
} from '../../types/mutations/mutation.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** The mutations that a file declares. */
export interface Mutations {
  /** In the order of `MUTATION_TYPES`; []: none is declared. */
  readonly types: readonly MutationType[];
  /** Those that a model makes, with the model; []: none. */
  readonly made: readonly SessionMutation[];
  /** The bar of mutated trials; null: that of the others. */
  readonly minPassRate: number | null;
}

/** The mutations of a file that fits its schema. Tells types that stand there twice. */
export function readMutations(data: JsonObject, report: Report): Mutations {
  if (valueAt(data, 'mutations') === undefined) return { types: [], made: [], minPassRate: null };
  const at: Pointer = ['mutations', 'types'];
  const table = tableAt(data, 'mutations');
  const minPassRate = numberAt(table, 'min_pass_rate') ?? null;
  if (valueAt(table, 'types') === undefined) return { types: KEEPING_MUTATIONS, made: [], minPassRate };
  const words = textsAt(table, 'types');
  for (const [index, word] of words.entries()) {
    if (words.indexOf(word) === index) continue;
    report({ code: 'duplicate_name', message: `The mutation "${word}" stands here twice.`, at: [...at, index] });
  }
  const model = textAt(table, 'model');
  const types = MUTATION_TYPES.filter((type) => words.includes(type));
  const wanted = MODEL_MUTATIONS.filter((type) => words.includes(type));
  return { types, made: model === undefined ? [] : wanted.map((type) => ({ type, model })), minPassRate };
}

/** Says of a file of tasks which types have no model to make them, and of a model that it has nothing to make. */
export function checkMutationModel(data: JsonObject, report: Report): void {
  const table = tableAt(data, 'mutations');
  const words = textsAt(table, 'types');
  const wanting = words.findIndex(isModelMade);
  const hasModel = valueAt(table, 'model') !== undefined;
  if (wanting !== -1 && !hasModel) {
    report({
      code: 'missing_key',
      message: `The mutation "${words[wanting]}" takes a model.`,
      at: ['mutations', 'types', wanting],
      hint: 'Name it with model = "…".',
    });
  }
  if (wanting === -1 && hasModel) {
    const message = '"model" has no effect: no mutation of this file takes one.';
    report({ code: 'unused_key', message, at: ['mutations', 'model'], part: 'key' });
  }
}

function isModelMade(word: string): boolean {
  return MODEL_MUTATIONS.some((one) => one === word);
}
