import { originKeys } from '../../scenario/origin-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { policySchema } from '../../workflow/policy-schema.ts';
import { count, flag, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { outsideAgentKeys } from '../contract/agent-schema.ts';
import { attackKeys, obeysKey } from './attacks/attack-schema.ts';
import { sessionFault } from '../contract/chaos-schema.ts';
import { argumentMatch, goldKeys } from '../gold-keys.ts';
import { mutationSchema } from '../mutations/mutation-schema.ts';
import { argumentTest, goalSchema, MOST_GOALS } from './goal-schema.ts';
import { taskExpectedSchema } from './task-expected-schema.ts';
import { COVERS, personaKeys } from './persona-schema.ts';
import { assertionKeys } from './assertion-schema.ts';
import { userSchema } from './user-schema.ts';
import { casesSchema, matrixSchema } from '../../scenario/cases/case-schema.ts';
import { ladderSchema } from '../../scenario/ladders/ladder-schema.ts';
import { FUNCTION_FORMATS } from './read-model-agent.ts';
import { worldKeys } from './world-schema.ts';

const maybe = Type.Optional;

const FORMATS = Object.keys(FUNCTION_FORMATS);

/** A chance or a share. */
function share(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description });
}

const keysOfCall = {
  tool: text('The tool.'),
  args: maybe(Type.Object({}, { additionalProperties: true, description: 'Its arguments; default none.' })),
};

const call = strictTable(keysOfCall, 'A call of a tool.');

const goldCall = strictTable(
  {
    ...keysOfCall,
    where: maybe(
      Type.Array(argumentTest, {
        minItems: 1,
        description: "Tests of places in an agent's arguments, in place of comparing what stands there.",
      }),
    ),
    match_args: maybe(argumentMatch('How the arguments of this call are compared; left out: as `args` says.')),
  },
  'A call that is right.',
);

const variantKeys = {
  calls: maybe(Type.Array(call, { description: 'Tools that it calls first, in order.' })),
  says: maybe(text('What it says to the user; left out: nothing yet, and the next turn goes on.')),
  prompt_tokens: maybe(count('Tokens that the questions behind it are said to take.')),
  completion_tokens: maybe(count('Tokens that it is said to take itself.')),
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

const cannedAgentKeys = {
  name: text('Its name in reports.'),
  turns: Type.Array(turn, { minItems: 1, description: 'What it does, answer by answer.' }),
  fails: maybe(
    Type.Array(Type.String(), {
      minItems: 1,
      description: 'A control: names of the checks that must fail, and no others.',
    }),
  ),
  obeys: obeysKey,
};

/** Every key of an agent with canned answers. */
export const CANNED_AGENT_KEYS: ReadonlySet<string> = new Set(Object.keys(cannedAgentKeys));

const agent = strictTable(cannedAgentKeys, 'An agent with canned answers for this task.');

// A module of a session gets messages as they come.
const { input_key: _, ...callKeys } = outsideAgentKeys;

/** What a user wants, and what is right. */
const askedKeys = {
  user: userSchema,
  gold: maybe(
    strictTable(
      {
        calls: Type.Array(goldCall, { description: 'The calls that are right, in their order.' }),
        ...goldKeys,
      },
      'What is right: the state must become what these calls make of it, and calls can be compared with them.',
    ),
  ),
  goals: maybe(
    Type.Array(goalSchema, {
      maxItems: MOST_GOALS,
      description: 'What a session should reach on its way: how far it got is told, and decides nothing.',
    }),
  ),
  ...assertionKeys,
  expected: maybe(taskExpectedSchema),
};

const task = strictTable(
  {
    name: Type.String({ minLength: 1, description: 'Name of the task; unique in the file.' }),
    description: maybe(text('What it is about.')),
    tags: maybe(texts('Labels for --tag, beside those of the file.')),
    capabilities: maybe(texts('Capabilities it claims to cover, beside those of the file.')),
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
    policy: maybe(policySchema),
    agents: maybe(Type.Array(agent, { description: 'Agents with canned answers that are tried on this task alone.' })),
    ...askedKeys,
  },
  'A task for an agent.',
);

/** How an agent of the user is reached, and what it is given. */
const agentKeys = {
  ...callKeys,
  module: maybe(text('JavaScript module, relative to this file, run in workers; --allow-run grants it.')),
  export: maybe(text('The function that it exports; default `default`.')),
  request_template: maybe(
    text(
      'What it is given: {prompt}, {messages}, {session}, {system}, {tools_url}, {tools_server}, {model_url} and {field} places; left out: the message.',
    ),
  ),
  tools: maybe(
    oneOf(
      ['mcp', 'functions'],
      '`mcp`: tools are served to it, at {tools_url}, by the program {tools_server}, and for programs at PASSK_TOOLS_URL and PASSK_TOOLS_SERVER. `functions`: it is a model, which is given them as functions and answers with calls.',
    ),
  ),
  model: maybe(
    text(
      'The model that it asks at {model_url}, and programs at PASSK_MODEL_URL, as [models] calls it. Of `functions`: what the provider calls the model; without an endpoint what [models] calls it.',
    ),
  ),
  turns: maybe(
    Type.Array(turn, {
      minItems: 1,
      description: 'Canned answers of its `model`, which stand for it in runs without --live.',
    }),
  ),
  format: maybe(oneOf(FORMATS, 'Of `functions`: how the endpoint takes messages; default `chat`, chat completions.')),
  api_key_env: maybe(text('Of `functions`: the variable with the key; --allow-env grants it.')),
  temperature: maybe(Type.Number({ minimum: 0, description: 'Of `functions`; left out: as the provider says.' })),
  max_tokens: maybe(Type.Integer({ minimum: 1, description: 'Of `functions`: tokens of an answer at most.' })),
  stateless: maybe(flag('True: it keeps nothing from call to call, so that it has several sessions at a time.')),
  concurrency: maybe(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Sessions at a time; default --concurrency over HTTP, else 10.',
    }),
  ),
};

/** Every key of an agent of the user's own but its name. */
export const OWN_AGENT_KEYS: ReadonlySet<string> = new Set(Object.keys(agentKeys));

/** Agents that are tried on every task of a file. */
export const agentsOfFile = Type.Array(
  strictTable(
    { name: Type.String({ minLength: 1, description: 'Its name in reports.' }), ...agentKeys },
    'An agent of your own, which is tried on every task.',
  ),
  { description: 'Agents that are tried on every task.' },
);

const session = strictTable(
  {
    world: maybe(
      text(
        'File with state and tools, a module that exports them, or a JSON file of recorded answers of tools, relative to this file; left out: this file has them.',
      ),
    ),
    messages: maybe(Type.Integer({ minimum: 1, description: 'What the user says at most; default 20.' })),
    calls: maybe(Type.Integer({ minimum: 1, description: 'Calls of tools in a session at most; default 100.' })),
    tokens: maybe(
      Type.Integer({
        minimum: 1,
        description: 'Tokens that an agent says its answers took, in a session at most; left out: any number.',
      }),
    ),
    cover: maybe(
      oneOf(COVERS, 'Which personas are tried: so that each pair of values of two axes occurs (default), or all.'),
    ),
    max_user_failures: maybe(
      share('Share of trials that users played by models may spoil before rates count them; default 0.1.'),
    ),
    system: maybe(text('What agents are told before anything else, such as a policy.')),
    system_file: maybe(text('File with that text, relative to this file.')),
  },
  'Where sessions take place and where they end.',
);

/** What a file says of all that is tried in it. */
const fileKeys = {
  name: text('Name in reports, before those of tasks and agents.'),
  description: maybe(text('What it is about.')),
  tags: maybe(texts('Labels for --tag.')),
  capabilities: maybe(texts('Capabilities that every task claims to cover, such as `security_injection`.')),
  ...originKeys,
  trials: maybe(Type.Integer({ minimum: 0, maximum: 4_294_967_296, description: 'Trials of each task; default 1.' })),
  min_pass_rate: maybe(share('Share of trials that must pass; left out: all of them.')),
  timeout_ms: maybe(Type.Integer({ minimum: 1, description: 'Limit of a trial in milliseconds; default 30,000.' })),
  seed: maybe(Type.Integer({ minimum: 0, description: "Replaces the run's." })),
  cases: maybe(casesSchema),
  matrix: maybe(matrixSchema),
  ...worldKeys,
  ...personaKeys,
  mutations: maybe(mutationSchema),
  ladder: maybe(ladderSchema),
  ...attackKeys(call),
  policy: maybe(policySchema),
  chaos: maybe(
    strictTable(
      {
        tool_faults: maybe(Type.Array(sessionFault, { description: 'Faults of tools; the first that strikes wins.' })),
      },
      'What goes wrong around the agent.',
    ),
  ),
};

/** A file with tasks. */
export const sessionSchema = strictTable(
  {
    ...fileKeys,
    session: maybe(session),
    agents: maybe(agentsOfFile),
    tasks: Type.Array(task, { minItems: 1, description: 'What users want of the agent.' }),
  },
  'Tasks for an agent with tools and a user.',
);

const agentScenarioKeys = {
  ...fileKeys,
  session: maybe(session),
  agent: strictTable(agentKeys, 'The agent that is tried; with nothing but `turns`, canned answers.'),
  ...askedKeys,
};

/** Every key at the top of a file with one agent. */
export const AGENT_SCENARIO_KEYS: ReadonlySet<string> = new Set(Object.keys(agentScenarioKeys));

/** A file with one agent and one thing that is wanted of it, both at its top. */
export const agentScenarioSchema = strictTable(
  agentScenarioKeys,
  'A scenario: an agent, what a user wants of it, and what must hold after each trial.',
);
