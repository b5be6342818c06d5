import { Type } from '../../source/schema-type.ts';
import { PROMPT_MARK } from '../../sessions/user/mutation-question.ts';
import { MODEL_MUTATIONS, MUTATION_TYPES } from '../../types/mutations/mutation.ts';
import { mapOf, oneOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** The word for ways that the file describes. */
export const CUSTOM = 'custom';
/** Every word of `types`. */
const WORDS = [...MUTATION_TYPES, ...MODEL_MUTATIONS, CUSTOM] as const;

/** The table `[mutations]` of a contract. */
export const contractMutationSchema = strictTable(
  {
    types: maybe(
      Type.Array(oneOf(WORDS, 'A way of changing prompts.'), {
        minItems: 1,
        description:
          'How prompts are changed; left out: in each way that keeps what they mean, in YAML as Flakestorm does. Those that take a model are made where `model` names one.',
      }),
    ),
    count: maybe(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'Mutants of each prompt, shared among the types, at least one of each; default 10.',
      }),
    ),
    weights: maybe(mapOf(Type.Number({ minimum: 0 }), 'How much types weigh in the score of mutations.')),
    ...modelKeys(),
    ...barKeys(),
  },
  'Ways in which prompts are changed, each a column of a matrix of its own.',
);

/** The table `[mutations]` of a file of tasks. */
export const mutationSchema = strictTable(
  {
    types: maybe(
      Type.Array(oneOf(WORDS, 'A way of changing messages.'), {
        minItems: 1,
        description: 'How messages are changed; left out: in each way that keeps what they mean.',
      }),
    ),
    ...modelKeys(),
    ...barKeys(),
  },
  'Ways in which messages to the subject are changed, each with trials of its own beside those without a change.',
);

function modelKeys() {
  return {
    model: maybe(text('The model that changes messages for the types that take one, as [models] calls it.')),
    custom_templates: maybe(
      mapOf(
        text(`What the model is told to do, with ${PROMPT_MARK} where the message stands.`),
        'Ways of the type `custom`, by name: each is a mutation of its own.',
      ),
    ),
  };
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
