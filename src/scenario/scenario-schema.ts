import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import { ISOLATIONS } from '../types/isolation.ts';
import { TRIGGER_KINDS } from '../types/trigger.ts';
import { SAMPLERS } from '../types/scenario.ts';
import { policySchema } from '../workflow/policy-schema.ts';
import { count, oneOf, strictTable, text, texts, u32 } from '../workflow/schema-parts.ts';
import { expectedSchema } from './expected-schema.ts';
import { casesSchema, matrixSchema } from './cases/case-schema.ts';
import { ladderSchema } from './ladders/ladder-schema.ts';
import { originKeys } from './origin-schema.ts';
import { worldSchema } from './world-schema.ts';

const maybe = Type.Optional;

const faultSchema = Type.Union([Type.String(), Type.Object({ type: Type.String() }, { additionalProperties: true })], {
  description: 'What goes wrong with this answer: the type of a fault, or a table with type and its settings.',
});

const tokens = {
  prompt_tokens: maybe(u32('Tokens the prompt is said to have; default 0.')),
  completion_tokens: maybe(u32('Tokens the answer is said to have; default 0.')),
};

const variantSchema = strictTable(
  {
    content: text('The answer.'),
    ...tokens,
    weight: maybe(Type.Number({ exclusiveMinimum: 0, description: 'Relative chance of being drawn; default 1.' })),
    fault: maybe(faultSchema),
  },
  'One of several answers a turn may give.',
);

/** One of `[[intel.turns]]`. */
export const turnSchema = strictTable(
  {
    id: maybe(Type.String({ minLength: 1, description: 'Keeps draws paired when turns are added or moved.' })),
    node: maybe(text('Serves only the requests of this node; left out: the next request that is not addressed.')),
    repeat: maybe(Type.Boolean({ description: 'Keeps serving its node instead of being used once.' })),
    content: maybe(text('The answer, when there is only one.')),
    ...tokens,
    fault: maybe(faultSchema),
    variants: maybe(Type.Array(variantSchema, { description: 'The answers one is drawn from; replaces content.' })),
  },
  'One canned model answer.',
);

const keys = {
  name: text('Label in reports and key of comparisons; unique in a suite.'),
  description: maybe(text('What the scenario is for.')),
  capabilities: maybe(texts('Capabilities it claims to cover; reports compare them with what was observed.')),
  tags: maybe(texts('Words to select it by.')),
  ...originKeys,
  trials: maybe(
    Type.Integer({
      minimum: 0,
      maximum: 4_294_967_296,
      description: 'Number of trials, up to 2^32; default 1, and 0 counts as 1.',
    }),
  ),
  min_pass_rate: maybe(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of trials that must pass, 0 to 1; left out: all of them.',
    }),
  ),
  timeout_secs: maybe(count('Limit of a trial in seconds; default 30, 0 counts as 1.')),
  timeout_ms: maybe(
    Type.Integer({ minimum: 1, description: 'Limit of a trial in milliseconds, instead of timeout_secs.' }),
  ),
  seed: maybe(Type.Integer({ minimum: 0, description: "Replaces the suite's seed." })),
  sampler: maybe(
    oneOf(
      SAMPLERS,
      'How variants are drawn: independently (`seeded`), by the formula of agentd (`reference`), or not at all: every sequence of answers is run once (`exhaustive`).',
    ),
  ),
  isolation: maybe(
    oneOf(ISOLATIONS, "Where its plug-ins run: in a `thread`, or in a `process` of their own; replaces the run's."),
  ),
  dry_run: maybe(
    Type.Boolean({
      description: 'Ask and do nothing: policy judges each request, and what was asked stands in place of its answer.',
    }),
  ),
  cases: maybe(casesSchema),
  matrix: maybe(matrixSchema),
  ladder: maybe(ladderSchema),
  workflow: strictTable(
    {
      inline: maybe(text('The workflow itself, as TOML text.')),
      path: maybe(text('File with the workflow, relative to this file.')),
      mcp_config: maybe(
        text(
          'JSON file with `mcpServers`, as clients of MCP read it: servers besides those that the workflow declares.',
        ),
      ),
    },
    'The workflow under test: inline or path.',
  ),
  trigger: maybe(
    strictTable(
      {
        kind: maybe(oneOf(TRIGGER_KINDS, 'What `trigger.kind` says; default `manual`.')),
        start: maybe(text('Name of the start node; left out: the first.')),
        payload: maybe(
          Type.Unknown({
            description:
              'The input of the run; left out: null. For cron {scheduled_at = …, schedule = …}, for fs_watch {path = …, event = …}.',
          }),
        ),
      },
      'What starts the run.',
    ),
  ),
  intel: maybe(
    strictTable(
      { turns: maybe(Type.Array(turnSchema, { description: 'Answers in the order in which they are asked for.' })) },
      'The canned model.',
    ),
  ),
  policy: maybe(policySchema),
  faults: maybe(
    strictTable(
      { intel_error_on_call: maybe(u32('The n-th model request of each trial fails; counts from 1, 0 never.')) },
      'What goes wrong in every trial.',
    ),
  ),
  world: maybe(worldSchema),
  expected: maybe(expectedSchema),
} satisfies Record<string, TSchema>;

/** Every key at the top of a scenario file. */
export const SCENARIO_KEYS: ReadonlySet<string> = new Set(Object.keys(keys));

/** A scenario file: the reference format complete, and ours beyond it. */
export const scenarioSchema = strictTable(
  keys,
  'A scenario: a workflow, the world around it, and what must hold after each trial.',
);
