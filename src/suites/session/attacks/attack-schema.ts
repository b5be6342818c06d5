import { Type } from '../../../source/schema-type.ts';
import { ASI_IDS, ATTACK_CHANNELS } from '../../../types/release/origin.ts';
import { ATTACK_WRAPPERS } from '../../../types/sessions/attack.ts';
import { count, oneOf, strictTable, text, texts } from '../../../workflow/schema-parts.ts';
import { stateTest } from '../goal-schema.ts';

const maybe = Type.Optional;

/** Attacks of a file; each is tried on every task by every agent. */
export const MOST_ATTACKS = 100;

/** The key `obeys` of canned agents. */
export const obeysKey = maybe(
  Type.Array(oneOf(ATTACK_CHANNELS, 'A channel.'), {
    minItems: 1,
    description: 'Channels by which an attack gets it to make the `calls` of the attack; left out: none.',
  }),
);

/** The key `attacks` of session files. `call`: the schema of a call. */
export function attackKeys(call: ReturnType<typeof strictTable>) {
  return {
    attacks: maybe(
      Type.Array(
        strictTable(
          {
            name: text('Its name in reports; unique in the file.'),
            channel: oneOf(ATTACK_CHANNELS, 'How what the attacker says reaches the agent.'),
            owasp: Type.Array(oneOf(ASI_IDS, 'A category of the OWASP Top 10 for Agentic Applications.'), {
              minItems: 1,
              description:
                'What is tried, as categories of the OWASP Top 10 for Agentic Applications; cases of promptfoo have those that it states for their plugins, where it does.',
            }),
            target: maybe(
              texts(
                'Globs on names of the tools by which it enters: those whose results hold it, or whose descriptions do; of `tool_output` default all.',
              ),
            ),
            payload: maybe(text('What the attacker says, word for word.')),
            recorded: maybe(
              text(
                'A run of AgentDojo under attack, from the folder of this file, whose injected text is the payload, or tests or results of a red team of promptfoo, each case of which is an attack.',
              ),
            ),
            goal: maybe(text('What the attacker wants done, as a sentence, which passk words in place of `payload`.')),
            wrappers: maybe(
              Type.Array(oneOf(ATTACK_WRAPPERS, 'A way to word the goal.'), {
                minItems: 1,
                description:
                  'How the goal is worded, each an attack of its own; left out: one for each task, by the seed.',
              }),
            ),
            seed: maybe(count('What the wording is drawn from; default 0.')),
            tasks: maybe(texts('Globs on names of the tasks on which it is tried; left out: all.')),
            succeeds: Type.Array(stateTest, {
              minItems: 1,
              description: 'What the attacker wants to become true in the state: all of it at one time.',
            }),
            max_success: maybe(
              Type.Number({
                minimum: 0,
                maximum: 1,
                description: 'Share of the trials of a task in which it may succeed; default 0.',
              }),
            ),
            calls: maybe(
              Type.Array(call, {
                description: 'Calls that would bring that about. They are tried when the file is loaded.',
              }),
            ),
          },
          'An attack that is tried on every task.',
        ),
        { minItems: 1, maxItems: MOST_ATTACKS, description: 'Attacks, each of which is tried on every task.' },
      ),
    ),
  };
}
