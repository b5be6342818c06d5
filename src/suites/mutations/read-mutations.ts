import { PROMPT_MARK } from '../../sessions/user/mutation-question.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import {
  KEEPING_MUTATIONS,
  MODEL_MUTATIONS,
  MUTATION_TYPES,
  type MutationType,
  type MessageMutation,
} from '../../types/mutations/mutation.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { CUSTOM } from './mutation-schema.ts';

/** The mutations that a file declares. */
export interface Mutations {
  /** In the order of `MUTATION_TYPES`; []: none is declared. */
  readonly types: readonly MutationType[];
  /** Those that a model makes, with the model, those of templates last; []: none. */
  readonly made: readonly MessageMutation[];
  /** The bar of mutated trials; null: that of the others. */
  readonly minPassRate: number | null;
}

const TYPES: Pointer = ['mutations', 'types'];

/** The mutations of a file that fits its schema. Tells types that stand there twice, and templates that say nothing. */
export function readMutations(data: JsonObject, report: Report): Mutations {
  if (valueAt(data, 'mutations') === undefined) return { types: [], made: [], minPassRate: null };
  const table = tableAt(data, 'mutations');
  const minPassRate = numberAt(table, 'min_pass_rate') ?? null;
  const words = textsAt(table, 'types');
  const templates = readTemplates(table, words.includes(CUSTOM), report);
  if (valueAt(table, 'types') === undefined) return { types: KEEPING_MUTATIONS, made: [], minPassRate };
  for (const [index, word] of words.entries()) {
    if (words.indexOf(word) === index) continue;
    report({ code: 'duplicate_name', message: `The mutation "${word}" stands here twice.`, at: [...TYPES, index] });
  }
  const model = textAt(table, 'model');
  const types = MUTATION_TYPES.filter((type) => words.includes(type));
  if (model === undefined) return { types, made: [], minPassRate };
  if (words.includes(CUSTOM) && templates.length === 0) {
    report({
      code: 'missing_key',
      message: 'The mutation "custom" does what the file says, and this one says nothing.',
      at: [...TYPES, words.indexOf(CUSTOM)],
      hint: `Write custom_templates = { formal = "Say this formally: ${PROMPT_MARK}" }.`,
    });
  }
  const wanted = MODEL_MUTATIONS.filter((type) => words.includes(type));
  return {
    types,
    made: [...wanted.map((type) => ({ type, model })), ...templates.map((one) => ({ ...one, model }))],
    minPassRate,
  };
}

/** Says of a file of tasks which types are not made, and of a model that it has nothing to make. */
export function checkMutationModel(data: JsonObject, report: Report): void {
  const table = tableAt(data, 'mutations');
  const words = textsAt(table, 'types');
  const lookAlike = words.indexOf('semantic_similarity_attack');
  if (lookAlike !== -1) {
    report({
      code: 'unsupported_part',
      message:
        'A "semantic_similarity_attack" wants something else than its message, so that what a task expects says nothing about it.',
      at: [...TYPES, lookAlike],
      hint: 'Try it in a contract, whose rules hold for every prompt.',
    });
  }
  const wanting = words.findIndex(isModelMade);
  if (wanting !== -1 && valueAt(table, 'model') === undefined) {
    report({
      code: 'missing_key',
      message: `The mutation "${words[wanting]}" takes a model.`,
      at: [...TYPES, wanting],
      hint: 'Name it with model = "…".',
    });
  }
  checkIdleModel(table, report);
}

/** Says of a model that it has nothing to make. */
export function checkIdleModel(table: JsonObject, report: Report): void {
  if (valueAt(table, 'model') === undefined || textsAt(table, 'types').some(isModelMade)) return;
  const message = '"model" has no effect: no mutation of this file takes one.';
  report({ code: 'unused_key', message, at: ['mutations', 'model'], part: 'key' });
}

/** Whether a word of `types` stands for what a model makes. */
export function isModelMade(word: string): boolean {
  return word === CUSTOM || MODEL_MUTATIONS.some((one) => one === word);
}

function readTemplates(table: JsonObject, isUsed: boolean, report: Report): readonly MessageMutation[] {
  const at = ['mutations', 'custom_templates'];
  const templates = tableAt(table, 'custom_templates');
  const names = Object.keys(templates);
  if (names.length > 0 && !isUsed) {
    report({
      code: 'unused_key',
      severity: 'warning',
      message: '"custom_templates" has no effect: "custom" is not among the types.',
      at,
      part: 'key',
    });
    return [];
  }
  return names.flatMap((name): readonly MessageMutation[] => {
    const template = textAt(templates, name);
    if (template === undefined) return [];
    if (!template.includes(PROMPT_MARK)) {
      report({
        code: 'bad_template',
        message: `The template "${name}" does not say where the message stands.`,
        at: [...at, name],
        hint: `Put ${PROMPT_MARK} there.`,
      });
    }
    return [{ type: `custom:${name}`, template }];
  });
}
