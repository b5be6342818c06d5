import { valueTestKeys } from '../../scenario/value-test-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';
import { argumentTest, textTest } from './goal-schema.ts';

const maybe = Type.Optional;

/** Each is looked at after every answer. */
const MOST_ASSERTIONS = 32;
/** More would be another dialogue. */
const MOST_RETRIES = 10;

const assertion = strictTable(
  {
    name: text('What it asks for, in reports; unique in the task.'),
    says: maybe(textTest),
    not_says: maybe(textTest),
    at: maybe(text('A place of the state that passes a test whenever the agent answers, as a dotted path.')),
    ...valueTestKeys,
    tool: maybe(text('Calls of this tool have arguments that pass the tests of `where`; others are not carried out.')),
    where: maybe(Type.Array(argumentTest, { description: 'Tests of places in the arguments of the call.' })),
    retries: maybe(
      Type.Integer({
        minimum: 0,
        maximum: MOST_RETRIES,
        description: 'How often the agent is told in a session; default 1.',
      }),
    ),
    feedback: maybe(text('What the agent is told; left out: the name.')),
  },
  'What an agent must do, and may try again.',
);

/** Keys of a task that say what its agent must do as it goes. */
export const assertionKeys = {
  assert: maybe(
    Type.Array(assertion, {
      maxItems: MOST_ASSERTIONS,
      description:
        'What the agent must do: it is told and tries again, and the trial fails once its tries are used up.',
    }),
  ),
  suggest: maybe(
    Type.Array(assertion, {
      maxItems: MOST_ASSERTIONS,
      description: 'The same, but once its tries are used up that is only noted.',
    }),
  ),
};
