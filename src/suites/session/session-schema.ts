import { originKeys } from '../../scenario/origin-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { VERBOSITIES } from '../../types/session.ts';
import { STATUSES } from '../../types/trial.ts';
import { count, flag, mapOf, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { invariantSchema } from '../contract/contract-schema.ts';
import { goldKeys } from '../gold-keys.ts';

const maybe = Type.Optional;

/** A chance or a share. */
function share(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description });
}

const place = (description: string) =>
  Type.Array(Type.Union([Type.String(), Type.Integer({ minimum: 0 })]), {
    minItems: 1,
    description: `${description} Keys and positions, one by one; each may hold markers.`,
  });

const testKeys = {
  exists: maybe(flag('Whether there must be a value.')),
  equals: maybe(Type.Unknown({ description: 'The value it must be.' })),
  not_equals: maybe(Type.Unknown({ description: 'A value it must not be.' })),
  above: maybe(Type.Unknown({ description: 'A number or text that it must be above.' })),
  below: maybe(Type.Unknown({ description: 'A number or text that it must be below.' })),
  in: maybe(Type.Unknown({ description: 'A list that it must be in.' })),
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

const call = strictTable(
  {
    tool: text('The tool.'),
    args: maybe(Type.Object({}, { additionalProperties: true, description: 'Its arguments; default none.' })),
  },
  'A call of a tool.',
);

const variantKeys = {
  calls: maybe(Type.Array(call, { description: 'Tools that it calls first, in order.' })),
  says: maybe(text('What it says to the user; left out: nothing yet, and the next turn goes on.')),
};

const turn = strictTable(
  {
    ...variantKeys,
    repeat: maybe(flag('Whether it is given again and again.')),
    variants: maybe(
      Type.Array(
        strictTable(
          {
            ...variantKeys,
            weight: maybe(
              Type.Number({ exclusiveMinimum: 0, description: 'Relative chance of being drawn; default 1.' }),
            ),
          },
          'One of several answers that a turn may give.',
        ),
        { minItems: 1, description: 'The answers one is drawn from; replaces calls and says.' },
      ),
    ),
  },
  'One answer of the agent.',
);

const agent = strictTable(
  {
    name: text('Its name in reports.'),
    turns: Type.Array(turn, { minItems: 1, description: 'What it does, answer by answer.' }),
    fails: maybe(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'A control: names of the checks that must fail, and no others.',
      }),
    ),
  },
  'An agent with canned answers for this task.',
);

const known = Type.Union(
  [
    Type.String(),
    strictTable(
      {
        value: text('What it is.'),
        asked: maybe(texts('Patterns of messages that ask for it (RE2 syntax); left out: its name.')),
        says: maybe(text('What the user says, with the marker `{{value}}`.')),
      },
      'Something that the user knows.',
    ),
  ],
  { description: 'A value, or {value = …, asked = …, says = …}.' },
);

const user = strictTable(
  {
    opening: text('What the user says first.'),
    goal: maybe(text('What the user wants, for people who read the file.')),
    known: maybe(mapOf(known, 'What the user knows and says when asked for it, by name.')),
    unknown: maybe(texts('Patterns of questions that the user cannot answer (RE2 syntax).')),
    replies: maybe(
      Type.Array(
        strictTable(
          {
            when: text('Pattern of a message of the agent (RE2 syntax).'),
            says: text('What the user says to it.'),
            times: maybe(Type.Integer({ minimum: 1, description: 'How often at most; default 1.' })),
          },
          'An answer of the user.',
        ),
        { description: 'Answers to what the agent says.' },
      ),
    ),
    changes: maybe(
      Type.Array(
        strictTable(
          {
            after: maybe(Type.Integer({ minimum: 1, description: 'Messages of the agent before it; default 1.' })),
            chance: maybe(share('How likely it is; default 1.')),
            says: text('What the user says then.'),
            known: maybe(mapOf(Type.String(), 'What the user knows from then on, by name.')),
          },
          'A change of mind.',
        ),
        { description: 'Changes of mind, each at most once.' },
      ),
    ),
    ends: maybe(
      texts('Patterns of messages after which the user is done (RE2 syntax); left out: one that asks nothing.'),
    ),
    verbosity: maybe(oneOf(VERBOSITIES, 'How much the user talks; default `standard`.')),
    typos: maybe(share('Share of words that are mistyped; default 0.')),
    patience: maybe(
      Type.Integer({ minimum: 1, description: 'Messages without an answer after which the user gives up; default 3.' }),
    ),
  },
  'The user, who follows this script.',
);

const textTest = Type.Union([
  Type.String(),
  strictTable(
    { contains: maybe(text('Text that must be in it.')), matches: maybe(text('Pattern it must match (RE2 syntax).')) },
    'What must be in it.',
  ),
]);

const stateTest = strictTable(
  { at: text('A place of the state, as a dotted path.'), ...testKeys },
  'What must stand at one place of the state.',
);

const expected = strictTable(
  {
    status: maybe(oneOf(STATUSES, 'How the session must end; default `completed`.')),
    state: maybe(Type.Array(stateTest, { description: 'What must stand where in the end.' })),
    state_schema: maybe(
      Type.Object({}, { additionalProperties: true, description: 'JSON Schema that the state must fit in the end.' }),
    ),
    unordered: maybe(texts('Lists of the state whose order does not count, as dotted paths; `*` stands for any key.')),
    says: maybe(
      Type.Array(textTest, { description: 'What the agent must have told the user; a text: it must contain it.' }),
    ),
    min_tool_calls: maybe(count('Calls of tools at least.')),
    max_tool_calls: maybe(count('Calls of tools at most.')),
    invariants: maybe(Type.Array(invariantSchema, { description: 'Rules that every message of the agent must obey.' })),
  },
  'What must hold when the session has ended.',
);

const task = strictTable(
  {
    name: text('Name of the task; unique in the file.'),
    description: maybe(text('What it is about.')),
    tags: maybe(texts('Labels for --tag, beside those of the file.')),
    trials: maybe(Type.Integer({ minimum: 0, maximum: 4_294_967_296, description: "Replaces the file's." })),
    min_pass_rate: maybe(share("Replaces the file's.")),
    state: maybe(
      Type.Array(
        strictTable(
          {
            at: text('A place of the state, as a dotted path.'),
            value: Type.Unknown({ description: 'What stands there when a trial begins.' }),
          },
          'What is different in the state of this task.',
        ),
        { description: 'What is different in the state of this task.' },
      ),
    ),
    user,
    agents: Type.Array(agent, { minItems: 1, description: 'Who is tried on it.' }),
    gold: maybe(
      strictTable(
        {
          calls: Type.Array(call, { description: 'The calls that are right, in their order.' }),
          ...goldKeys,
        },
        'What is right: the state must become what these calls make of it, and calls can be compared with them.',
      ),
    ),
    expected: maybe(expected),
  },
  'A task for an agent.',
);

/** A file with a table `[session]`. */
export const sessionSchema = strictTable(
  {
    name: text('Name in reports, before those of tasks and agents.'),
    description: maybe(text('What it is about.')),
    tags: maybe(texts('Labels for --tag.')),
    ...originKeys,
    trials: maybe(Type.Integer({ minimum: 0, maximum: 4_294_967_296, description: 'Trials of each task; default 1.' })),
    min_pass_rate: maybe(share('Share of trials that must pass; left out: all of them.')),
    timeout_ms: maybe(Type.Integer({ minimum: 1, description: 'Limit of a trial in milliseconds; default 30,000.' })),
    seed: maybe(Type.Integer({ minimum: 0, description: "Replaces the run's." })),
    session: strictTable(
      {
        world: maybe(text('File with state and tools, relative to this file; left out: this file has them.')),
        messages: maybe(Type.Integer({ minimum: 1, description: 'What the user says at most; default 20.' })),
        calls: maybe(Type.Integer({ minimum: 1, description: 'Calls of tools in a session at most; default 100.' })),
      },
      'Where sessions take place and where they end.',
    ),
    ...worldKeys,
    tasks: Type.Array(task, { minItems: 1, description: 'What users want of the agent.' }),
  },
  'Tasks for an agent with tools and a user.',
);
