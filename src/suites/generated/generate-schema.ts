import { Type } from '../../source/schema-type.ts';
import { RELATIONS } from '../../types/generated/generated-set.ts';
import { oneOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Scenarios that one file may generate. */
export const MOST_SCENARIOS = 1000;

/** The table `[generate]`. */
export const generateSchema = strictTable(
  {
    family: text('The generator: `repair_shop`, or one of a plug-in.'),
    count: Type.Integer({ minimum: 1, maximum: MOST_SCENARIOS, description: 'Scenarios that are wanted.' }),
    seed: maybe(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'What they are drawn from; default 0.',
      }),
    ),
    week: maybe(text('An ISO week such as "2026-W48" in place of a seed.')),
    params: maybe(Type.Object({}, { additionalProperties: true, description: 'Parameters of the generator.' })),
    relations: maybe(
      Type.Array(oneOf(RELATIONS, 'A change that must change nothing.'), {
        description: 'Each scenario is tried once more with each of these changes, and the same must become of it.',
      }),
    ),
    hash: maybe(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The hash that the set must have, as reports show it; left out: any.',
      }),
    ),
    timeout_ms: maybe(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        description: 'A generator of a plug-in is ended where one scenario takes longer; default 5,000.',
      }),
    ),
  },
  'Scenarios that a generator makes of a seed.',
);
