import { Type } from '../../source/schema-type.ts';
import { MUTATION_TYPES } from '../../types/mutations/mutation.ts';
import { oneOf, strictTable } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** The table `[mutations]` of a file of tasks. */
export const mutationSchema = strictTable(
  {
    types: maybe(
      Type.Array(oneOf(MUTATION_TYPES, 'A way of changing messages.'), {
        minItems: 1,
        description: 'How messages are changed; left out: in each way that keeps what they mean.',
      }),
    ),
    min_pass_rate: maybe(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of trials that must pass where messages are changed; left out: the same as without.',
      }),
    ),
  },
  'Ways in which messages to the subject are changed, each with trials of its own beside those without a change.',
);
