import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import { COUNTER_KEYS, STATUSES, STOPS } from '../types/trial.ts';
import { count, flag, mapOf, oneOf, strictTable, text, texts } from '../workflow/schema-parts.ts';
import { workflowFaithful } from '../checks/faithful/faithful.schema.ts';
import { requestKeys } from './request-schema.ts';
import { valueTestKeys } from './value-test-schema.ts';

const maybe = Type.Optional;

const path = maybe(text('Dotted path inside the value; left out: all of it.'));

const counters: Record<string, TSchema> = {};
for (const { key, min, max } of Object.values(COUNTER_KEYS)) {
  counters[min] = maybe(count(`Lowest accepted ${key.replaceAll('_', ' ')} of a trial.`));
  counters[max] = maybe(count(`Highest accepted ${key.replaceAll('_', ' ')} of a trial.`));
}

/** `prefers`, of scenarios and tasks. */
export const prefersSchema = Type.Array(
  strictTable(
    {
      judge: text('A judge of the configuration that compares.'),
      over: text('An answer that the answer of the trial must be better than.'),
      ties: maybe(flag('Whether an answer that is as good is enough; default false.')),
    },
    'An answer of your own, to compare with.',
  ),
  { description: 'Answers that judges must find worse than the answer of the trial.' },
);

/** `checks`, of scenarios and tasks. */
export const checksSchema = Type.Array(
  strictTable(
    {
      module: maybe(text('JavaScript module, relative to this file; --allow-run grants it.')),
      export: maybe(text('Of a module: the function that it exports; default `default`.')),
      plugin: maybe(text('In place of a module: the type of a plug-in that judges trials.')),
      settings: maybe(Type.Object({}, { additionalProperties: true, description: 'What the plug-in is told.' })),
      name: maybe(text('The name of the check; left out: that of the file or the plug-in.')),
    },
    'A function of your own that looks at the record of a trial.',
  ),
  { description: 'Checks of your own.' },
);

/** `[expected]`: what must hold after every trial; what is left out is not asserted. */
export const expectedSchema = strictTable(
  {
    status: maybe(oneOf(STATUSES, 'How the run must end.')),
    stopped_by: maybe(oneOf(STOPS, 'What must have stopped it; tells a dead end from an intended end.')),
    last_node: maybe(text('The last node entered.')),
    errored_node: maybe(text('The node at which an errored run must have stopped.')),
    reason_contains: maybe(text("Text that the reason of a failed run, or an errored run's message, must contain.")),
    reason_equals: maybe(text('The whole reason or message.')),
    reason_matches: maybe(text('Pattern that the reason or message must match (RE2 syntax).')),
    path: maybe(texts('Nodes in visit order: the run must begin with them.')),
    path_exact: maybe(flag('The run must visit exactly `path`.')),
    forbidden_nodes: maybe(texts('Nodes that must not run.')),
    branches: maybe(
      mapOf(
        Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Label or labels that must be taken.' }),
        'Branch labels that must be taken, by node.',
      ),
    ),
    ...counters,
    final: maybe(strictTable({ path, ...valueTestKeys }, 'Tests of the final value.')),
    values: maybe(
      Type.Array(
        strictTable(
          { node: maybe(text('Node whose last output is tested; left out: the final value.')), path, ...valueTestKeys },
          'Tests of one value.',
        ),
        { description: "Tests of nodes' outputs." },
      ),
    ),
    respond: maybe(
      Type.Union(
        [
          Type.Literal('none'),
          strictTable(
            {
              status: maybe(Type.Integer({ minimum: 100, maximum: 599, description: 'Status of the reply.' })),
              content_type: maybe(text('Content type of the reply.')),
              body: maybe(text('The whole body.')),
              body_contains: maybe(text('Text the body must contain.')),
              body_matches: maybe(text('Pattern the body must match (RE2 syntax).')),
            },
            'Tests of the reply that a respond node shaped.',
          ),
        ],
        { description: 'Tests of the reply that a respond node shaped, or `none`: there must be no reply.' },
      ),
    ),
    prompts: maybe(
      Type.Array(
        strictTable(
          {
            node: maybe(text('Node whose prompts are tested; left out: any.')),
            call: maybe(Type.Integer({ minimum: 1, description: 'Which of them, from 1; left out: at least one.' })),
            contains: maybe(text('Text the prompt must contain.')),
            not_contains: maybe(text('Text the prompt must not contain.')),
            matches: maybe(text('Pattern the prompt must match (RE2 syntax).')),
          },
          'Tests of one prompt.',
        ),
        { description: 'Tests of what the model was sent.' },
      ),
    ),
    ...requestKeys,
    checks: maybe(checksSchema),
    judges: maybe(texts('Judges of the configuration that must find their criteria met.')),
    prefers: maybe(prefersSchema),
    faithful: maybe(workflowFaithful),
    files: maybe(
      strictTable(
        {
          exist: maybe(texts('Files that must be there after the run.')),
          absent: maybe(texts('Files that must not be there.')),
          contain: maybe(mapOf(Type.String(), 'Text that files must contain, by path.')),
        },
        "Tests of the files in the trial's world.",
      ),
    ),
  },
  'What must hold after every trial. What is left out is not asserted.',
);
