import { checksSchema, prefersSchema } from '../../scenario/expected-schema.ts';
import { trialFaithful } from '../../checks/faithful/faithful.schema.ts';
import { denialsOf } from '../../scenario/request-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { STATUSES } from '../../types/trial.ts';
import { count, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { invariantSchema } from '../contract/contract-schema.ts';
import { stateTest, textTest } from './goal-schema.ts';

const maybe = Type.Optional;

/** `[tasks.expected]`: what must hold when the session has ended. */
export const taskExpectedSchema = strictTable(
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
    checks: maybe(checksSchema),
    commands: maybe(
      Type.Array(
        strictTable(
          {
            command: texts('Program and arguments, from the folder of this file; --allow-run grants the program.'),
            name: maybe(text('The name of the check; left out: the command.')),
            timeout_ms: maybe(Type.Integer({ minimum: 1, description: 'Milliseconds it may take; default 10,000.' })),
            fails_with: maybe(
              Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
                minItems: 1,
                description:
                  'Exit codes that say that something is wrong; left out: any but 0. Others break the trial.',
              }),
            ),
          },
          'A program that is given state and record of a trial as JSON and says by its exit code whether it is right.',
        ),
        { description: 'Checks that are programs.' },
      ),
    ),
    judges: maybe(texts('Judges of the configuration that must find their criteria met.')),
    prefers: maybe(prefersSchema),
    faithful: maybe(trialFaithful),
    min_tool_calls: maybe(count('Calls of tools at least.')),
    max_tool_calls: maybe(count('Calls of tools at most.')),
    min_policy_denials: maybe(count('Calls that policy denied at least.')),
    max_policy_denials: maybe(count('Calls that policy denied at most.')),
    denials: denialsOf({}),
    invariants: maybe(Type.Array(invariantSchema, { description: 'Rules that every message of the agent must obey.' })),
  },
  'What must hold when the session has ended.',
);
