import { Type } from '../../source/schema-type.ts';
import { LADDER_KINDS, LADDER_MEASURES } from '../../types/ladders/ladder.ts';
import { oneOf, strictTable, text } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Rungs that a ladder may have. */
export const MOST_RUNGS = 64;
/** The highest rung: characters of a context, children or sessions at a time, tokens or calls. */
export const HIGHEST_RUNG = 1_000_000;

const rung = Type.Integer({
  minimum: 1,
  maximum: HIGHEST_RUNG,
  description: 'Characters, children or sessions at a time, tokens or calls.',
});

/** The table `[ladder]` of a scenario file, or of a file of tasks. */
export const ladderSchema = strictTable(
  {
    kind: oneOf(LADDER_KINDS, 'What grows from rung to rung.'),
    rungs: maybe(
      Type.Array(
        Type.Union([rung, Type.Object({ rung }, { additionalProperties: true })], {
          description: 'A number, or a table with it as `rung` and more fields for `{{case.field}}`.',
        }),
        { minItems: 1, maxItems: MOST_RUNGS, description: 'From the lowest to the highest.' },
      ),
    ),
    below: maybe(
      Type.Integer({
        minimum: 2,
        maximum: HIGHEST_RUNG,
        description: 'Of budgets, in place of `rungs`: budgets are drawn from the seed up to here.',
      }),
    ),
    draws: maybe(Type.Integer({ minimum: 1, maximum: MOST_RUNGS, description: 'Budgets that are drawn; default 8.' })),
    one_call: maybe(
      Type.Integer({
        minimum: 0,
        description:
          'Of budgets of tokens: what a single call of a workflow takes at most, or an answer of an agent; default 0.',
      }),
    ),
    node: maybe(text('Of concurrency of workflows: the `map` node whose `max_concurrent` is the rung.')),
    measure: maybe(
      oneOf(
        LADDER_MEASURES,
        'Of context: what is measured; default `tokens`. Of budgets of sessions: what is cut, `calls` (default) or `tokens`.',
      ),
    ),
  },
  'A scenario for each rung of a ladder, and what grows with it.',
);
