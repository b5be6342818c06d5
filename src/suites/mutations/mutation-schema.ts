import { Type } from '../../source/schema-type.ts';
import { MODEL_MUTATIONS, MUTATION_TYPES } from '../../types/mutations/mutation.ts';
import { mapOf, oneOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Types of Flakestorm that take a model: contracts do not make them without one, and some not at all. */
export const UNMADE_MUTATIONS = ['paraphrase', 'tone_shift', 'semantic_similarity_attack', 'custom'] as const;

/** The table `[mutations]` of a contract. */
export const contractMutationSchema = strictTable(
  {
    types: maybe(
      Type.Array(
        oneOf([...new Set([...MUTATION_TYPES, ...MODEL_MUTATIONS, ...UNMADE_MUTATIONS])], 'A way of changing prompts.'),
        {
          minItems: 1,
          description:
            'How prompts are changed; left out: in each way that keeps what they mean, in YAML as Flakestorm does. Those that take a model are made where `model` names one.',
        },
      ),
    ),
    count: maybe(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'Mutants of each prompt, shared among the types, at least one of each; default 10.',
      }),
    ),
    weights: maybe(mapOf(Type.Number({ minimum: 0 }), 'How much types weigh in the score of mutations.')),
    model: modelKey(),
    custom_templates: maybe(Type.Unknown({ description: 'Of the reference; not used.' })),
    ...barKeys(),
  },
  'Ways in which prompts are changed, each a column of a matrix of its own.',
);

/** The table `[mutations]` of a file of tasks. */
export const mutationSchema = strictTable(
  {
    types: maybe(
      Type.Array(oneOf([...MUTATION_TYPES, ...MODEL_MUTATIONS], 'A way of changing messages.'), {
        minItems: 1,
        description: 'How messages are changed; left out: in each way that keeps what they mean.',
      }),
    ),
    model: modelKey(),
    ...barKeys(),
  },
  'Ways in which messages to the subject are changed, each with trials of its own beside those without a change.',
);

function modelKey() {
  return maybe(text('The model that makes paraphrases, other tones and translations, as [models] calls it.'));
}

function barKeys() {
  return {
    min_pass_rate: maybe(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of trials that must pass where something is changed; left out: the same as without.',
      }),
    ),
  };
}
