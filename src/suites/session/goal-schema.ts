import { textTests } from '../../scenario/match-schema.ts';
import { valueTestKeys } from '../../scenario/value-test-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

export const textTest = Type.Union([Type.String(), textTests], {
  description: 'What the agent tells the user; a text: it must contain it.',
});

export const stateTest = strictTable(
  { at: text('A place of the state, as a dotted path.'), ...valueTestKeys },
  'What must stand at one place of the state.',
);

export const argumentTest = strictTable(
  { at: text('A place in the arguments, as a dotted path.'), ...valueTestKeys },
  'What must stand at one place of the arguments.',
);

/** More would be a transcript, and each is looked at after every call. */
export const MOST_GOALS = 64;

export const goalSchema = strictTable(
  {
    name: text('The stage that it is, in reports; unique in the task.'),
    tool: maybe(text('Reached by a call of this tool that does what it is asked to.')),
    args: maybe(Type.Object({}, { additionalProperties: true, description: 'Arguments that the call must have.' })),
    where: maybe(Type.Array(argumentTest, { description: 'Tests of places in the arguments of the call.' })),
    at: maybe(text('Reached by a state in which this place passes a test, as a dotted path.')),
    says: maybe(textTest),
    ...valueTestKeys,
  },
  'A sub-goal: a call, a state, or something that the user is told.',
);
