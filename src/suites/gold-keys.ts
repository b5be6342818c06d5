import { Type } from '../source/schema-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import {
  ARGUMENT_MATCHES,
  type ArgumentMatch,
  type GoldExpectation,
  TRAJECTORY_MATCHES,
} from '../types/recordings/gold-expectation.ts';
import { oneOf } from '../workflow/schema-parts.ts';
import { tableAt, textAt, valueAt } from '../workflow/raw-data.ts';

const maybe = Type.Optional;

/** A word, or the fields that alone are compared. */
export const argumentMatch = (description: string) =>
  Type.Union(
    [
      oneOf(ARGUMENT_MATCHES, description),
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'These fields alone; a dot leads into an object.',
      }),
    ],
    { description },
  );

/** The keys by which a file says how calls follow those that are right. */
export const goldKeys = {
  match: maybe(oneOf(TRAJECTORY_MATCHES, 'How the calls must follow the gold ones; default `superset`.')),
  args: maybe(argumentMatch('How arguments are compared; default `exact`.')),
  tools: maybe(
    Type.Record(Type.String(), argumentMatch('How arguments of this tool are compared.'), {
      description: 'How arguments are compared, by tool.',
    }),
  ),
  counts: maybe(Type.Boolean({ description: 'Whether a trial that differs fails; default false: it is told.' })),
};

/** What a checked table with these keys says. */
export function readGold(gold: JsonObject): GoldExpectation {
  return {
    match: TRAJECTORY_MATCHES.find((match) => match === textAt(gold, 'match')) ?? 'superset',
    args: argumentMatchOf(valueAt(gold, 'args')),
    tools: Object.fromEntries(
      Object.entries(tableAt(gold, 'tools')).map(([tool, how]) => [tool, argumentMatchOf(how)]),
    ),
    counts: valueAt(gold, 'counts') === true,
  };
}

/** One of the words, or the fields that are compared. */
export function argumentMatchOf(how: Json | undefined): ArgumentMatch {
  if (Array.isArray(how)) return how.map(String);
  return ARGUMENT_MATCHES.find((word) => word === how) ?? 'exact';
}
