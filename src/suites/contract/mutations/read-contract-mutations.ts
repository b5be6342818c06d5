import { takesBaseline } from '../../../checks/invariants/builtin.ts';
import type { Contract } from '../../../types/contract.ts';
import type { JsonObject } from '../../../types/json.ts';
import {
  KEEPING_MUTATIONS,
  type Mutants,
  MUTATION_TYPES,
  type MutationType,
} from '../../../types/mutations/mutation.ts';
import { numberAt, tableAt, textsAt, valueAt } from '../../../workflow/raw-data.ts';
import { makeMutants } from '../../mutations/make-mutants.ts';
import { CUSTOM } from '../../mutations/mutation-schema.ts';
import { checkIdleModel, isModelMade, readMutations } from '../../mutations/read-mutations.ts';
import { NO_CHAOS } from '../read-chaos.ts';
import type { Reading } from '../reading.ts';

/** Of each prompt, over all types; the default of Flakestorm. */
const DEFAULT_COUNT = 10;
/** Prompts that are made; more are hardly meant. */
const MOST_MUTANTS = 2000;

/** The column of prompts as they are written. */
export const UNMUTATED = 'unmutated';

/** The types that Flakestorm takes where a file does not say, but for those that need a model. */
const DEFAULT_TYPES: readonly MutationType[] = [
  'noise',
  'length_extremes',
  'encoding_attacks',
  'prompt_injection',
  'context_manipulation',
];

/** Weights that Flakestorm gives; every other type has 1. */
const DEFAULT_WEIGHTS: Readonly<Partial<Record<Mutants['type'], number>>> = {
  noise: 0.8,
  tone_shift: 0.9,
  semantic_similarity_attack: 1.3,
  prompt_injection: 1.5,
  encoding_attacks: 1.3,
  context_manipulation: 1.1,
  length_extremes: 1.2,
  multi_turn_attack: 1.4,
  advanced_jailbreak: 2,
  format_poisoning: 1.6,
  language_mixing: 1.2,
  token_manipulation: 1.5,
  temporal_attack: 1.1,
  http_header_injection: 1.7,
  payload_size_attack: 1.4,
  content_type_confusion: 1.5,
  query_parameter_poisoning: 1.6,
  request_method_attack: 1.3,
  protocol_level_attack: 1.8,
  resource_exhaustion: 1.5,
  concurrent_request_pattern: 1.4,
  timeout_manipulation: 1.3,
};

/**
 * The contract of mutated prompts, where the file has mutations that can be made: the rules of `of`, with a column of the
 * prompts as they are written and one of each type. Null: there is none. Tells what cannot be made, and what would show nothing.
 */
export function readContractMutations(of: Contract, name: string, { document, report }: Reading): Contract | null {
  const { data } = document;
  const table = tableAt(data, 'mutations');
  if (valueAt(data, 'mutations') === undefined || valueAt(data, 'mutations') === null) return null;
  tellUnmade(table, report);
  const isReference = /\.ya?ml$/.test(document.source.name);
  const { types: declared, made, minPassRate } = readMutations(data, report);
  const types = valueAt(table, 'types') === undefined && isReference ? DEFAULT_TYPES : declared;
  // Probes stand for prompts of their own, and an answer is always like itself.
  const invariants = of.invariants.filter(({ probes, rule }) => probes.length === 0 && !takesBaseline(rule));
  if (types.length + made.length === 0) return null;
  const at = ['mutations'];
  if (of.prompts.length === 0 || invariants.length === 0) {
    report({
      code: 'unused_key',
      severity: 'warning',
      message: '"mutations" has no effect: the file has no prompts, or no invariant that is judged on them.',
      at,
      part: 'key',
    });
    return null;
  }
  if (made.length > 0 && valueAt(data, 'dry_run') === true) {
    report({
      code: 'unsupported_part',
      message: `Nobody is asked in a dry run, so that there is no ${made.map(({ type }) => type).join(', ')}.`,
      at: ['mutations', 'model'],
      hint: 'Leave these types and the model out, or dry_run.',
    });
  }
  const count = numberAt(table, 'count') ?? DEFAULT_COUNT;
  const asked = of.prompts.length * (Math.max(types.length === 0 ? 0 : count, types.length) + made.length);
  const seed = numberAt(data, 'seed') ?? numberAt(tableAt(data, 'advanced'), 'seed') ?? 0;
  const drawn = asked > MOST_MUTANTS ? null : makeMutants(of.prompts, { types, count, seed });
  if (drawn === null) {
    const message =
      asked > MOST_MUTANTS
        ? `The prompts have ${asked} mutants; at most ${MOST_MUTANTS} are made.`
        : 'The mutants of the prompts are too long in all.';
    report({ code: 'too_many', message, at, part: 'key', hint: 'Leave out types or prompts.' });
    return null;
  }
  const idle = drawn.filter(({ texts }) => texts.length === 0).map(({ type }) => type);
  if (idle.length > 0) {
    report({
      code: 'idle_mutation',
      severity: 'warning',
      message: `Nothing is tried by ${idle.join(', ')}: no prompt is changed by it.`,
      at,
      part: 'key',
    });
  }
  const mutants: readonly Mutants[] = [
    ...drawn,
    ...made.map((mutation): Mutants => {
      return { ...mutation, texts: of.prompts.map((text, prompt) => ({ prompt, text })), unchanged: 0 };
    }),
  ];
  const all = mutants.map(({ type }) => type);
  return {
    ...of,
    name,
    phase: 'mutation',
    invariants,
    matrix: [UNMUTATED, ...all].map((column) => ({ name: column, ...NO_CHAOS })),
    minPassRate: minPassRate ?? of.minPassRate,
    minScore: null,
    mutations: { mutants, weights: weightsOf(all, table) },
  };
}

/** A map replaces the weights of the reference, as there; what it leaves out weighs 1. */
function weightsOf(types: readonly Mutants['type'][], table: JsonObject): readonly number[] {
  const own = valueAt(table, 'weights') === undefined ? null : tableAt(table, 'weights');
  const wordOf = (type: Mutants['type']): string => (type.startsWith(`${CUSTOM}:`) ? CUSTOM : type);
  return types.map((type) => (own === null ? DEFAULT_WEIGHTS[type] : numberAt(own, wordOf(type))) ?? 1);
}

/** Says what is not made, and of a model that it has nothing to make. */
function tellUnmade(table: JsonObject, report: Reading['report']): void {
  checkIdleModel(table, report);
  if (valueAt(table, 'model') !== undefined) return;
  for (const [index, word] of textsAt(table, 'types').entries()) {
    if (!isModelMade(word)) continue;
    report({
      code: 'unsupported_part',
      severity: 'warning',
      message: `The mutation "${word}" is not made: it takes a model.`,
      at: ['mutations', 'types', index],
      hint: `Name one with model = "…". Without a model there are ${MUTATION_TYPES.length} types, such as ${KEEPING_MUTATIONS.slice(0, 3).join(', ')}.`,
    });
  }
}
