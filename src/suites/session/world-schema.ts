import { valueTestKeys } from '../../scenario/value-test-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { mapOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

const place = (description: string) =>
  Type.Array(Type.Union([Type.String(), Type.Integer({ minimum: 0 })]), {
    minItems: 1,
    description: `${description} Keys and positions, one by one; each may hold markers.`,
  });

const testKeys = {
  ...valueTestKeys,
  in: maybe(Type.Unknown({ description: 'Values of which it must be one: a list, or a marker that stands for one.' })),
};

const condition = strictTable(
  {
    at: maybe(place('A place of the state.')),
    value: maybe(Type.Unknown({ description: 'A marker such as `{{args.id}}`, in place of `at`.' })),
    ...testKeys,
  },
  'A test of a place of the state or of a value.',
);

/** Words that say what a step does; each step has one of them. */
export const STEP_WORDS = ['fail', 'get', 'list', 'count', 'set', 'append', 'remove', 'compute'] as const;

const name = (description: string) =>
  Type.String({ pattern: '^[A-Za-z]\\w*$', description: `${description} Letters, digits and _.` });

const step = strictTable(
  {
    fail: maybe(text('The call ends with this message for the agent, and changes nothing.')),
    get: maybe(place('Gives the value there; null where there is none.')),
    list: maybe(place('Gives the entries of the table or list there.')),
    count: maybe(place('Gives how many entries the table or list there has.')),
    set: maybe(place('Puts `value` there.')),
    append: maybe(place('Adds `value` to the list there.')),
    remove: maybe(place('Takes away what stands there.')),
    compute: maybe(name('Gives `value` this name, for later steps.')),
    as: maybe(name('The name of what the step gives, for later steps.')),
    where: maybe(mapOf(Type.Unknown(), 'Of `list`: values that an entry must have, by its keys.')),
    value: maybe(Type.Unknown({ description: 'What is put there, added or computed; texts in it may hold markers.' })),
    times: maybe(Type.Unknown({ description: 'Of `compute`: a factor, or a marker.' })),
    plus: maybe(Type.Unknown({ description: 'Of `compute`: a number to add, or a marker.' })),
    minus: maybe(Type.Unknown({ description: 'Of `compute`: a number to take away, or a marker.' })),
    when: maybe(Type.Array(condition, { description: 'Tests that must all hold, or the step is left out.' })),
  },
  'One step of a tool.',
);

const tool = strictTable(
  {
    name: Type.String({ pattern: '^[\\w.-]{1,64}$', description: 'What the agent calls it by.' }),
    description: maybe(text('What it does, for the agent.')),
    parameters: maybe(Type.Object({}, { additionalProperties: true, description: 'JSON Schema of its arguments.' })),
    steps: maybe(Type.Array(step, { description: 'What a call does, in order.' })),
    result: maybe(Type.Unknown({ description: 'What a call gives; left out: what its last step gave.' })),
  },
  'A tool that looks at the state and changes it.',
);

const state = Type.Object({}, { additionalProperties: true, description: 'What the world holds when a trial begins.' });

/** What a file says of a world: its own, or that of a file of tasks that has no other. */
export const worldKeys = {
  state: maybe(state),
  tools: maybe(Type.Array(tool, { description: 'What the agent can do in it.' })),
};

/** A file that a session names as its world. */
export const worldFileSchema = strictTable(worldKeys, 'A world: its state and its tools.');
