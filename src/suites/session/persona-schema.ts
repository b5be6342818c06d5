import { Type } from '../../source/schema-type.ts';
import { VERBOSITIES } from '../../types/sessions/session-user.ts';
import { mapOf, oneOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

export const COVERS = ['pairwise', 'all'] as const;

/** Axes of a pool. */
export const MOST_AXES = 16;
/** Values of all axes together. */
export const MOST_VALUES = 64;

const value = Type.Union([Type.String(), Type.Number()], { description: 'A text or a number.' });

/** Keys of a file of tasks that say by whom its tasks are tried. */
export const personaKeys = {
  personas: maybe(
    Type.Array(
      strictTable(
        {
          name: text('Its name in reports.'),
          verbosity: maybe(oneOf(VERBOSITIES, 'How much the user talks.')),
          typos: maybe(Type.Number({ minimum: 0, maximum: 1, description: 'Share of words that are mistyped.' })),
          patience: maybe(
            Type.Integer({ minimum: 1, description: 'Messages without an answer after which the user gives up.' }),
          ),
          who: maybe(text('Of users that models play: who the user is.')),
          manner: maybe(mapOf(Type.String(), 'Of users that models play: how the user talks, such as `tone`.')),
        },
        'A persona: what it says stands in place of what a task says of its user.',
      ),
      { description: 'Personas as whom the users of all tasks come, each with scenarios of its own.' },
    ),
  ),
  axes: maybe(
    mapOf(
      Type.Array(value, { minItems: 1, description: 'The values of the axis.' }),
      'More axes of personas by name: `verbosity`, `typos`, `patience`, and of users that models play any manner.',
    ),
  ),
};
