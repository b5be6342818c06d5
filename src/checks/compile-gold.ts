import { compileValueTest, type SchemaCompiler } from '../matching/value-test.ts';
import { withoutPlace } from '../sessions/world/state-place.ts';
import type { ArgumentMatch, GoldCallTerms, TrajectoryTerms } from '../types/recordings/gold-expectation.ts';
import type { Json } from '../types/json.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import { matchesArguments } from './match-arguments.ts';
import { matchOf, type TrajectoryCall } from './match-trajectory.ts';

type GoldCalls = readonly Pick<TrajectoryCall, 'name' | 'args'>[];

/** Compiles what single gold calls say of their arguments, for the gold calls of any trial. */
export function compileGold(
  terms: TrajectoryTerms,
  compileSchema: SchemaCompiler,
): (gold: GoldCalls) => readonly TrajectoryCall[] {
  const { calls } = terms;
  if (calls === undefined) return (gold) => gold;
  const compiled = calls.map(({ where }) => compileTests(where, compileSchema));
  const own = ({ name, args }: GoldCalls[number], at: number): TrajectoryCall => {
    const [said, tests] = [calls[at], compiled[at]];
    if (said === undefined || tests === undefined) return { name, args };
    return { name, args, fits: fitting(args, said.args ?? matchOf(name, terms), tests) };
  };
  return (gold) => gold.map(own);
}

interface PlaceTest {
  readonly place: readonly string[];
  readonly holds: (value: Json | undefined) => boolean;
}

function compileTests(where: GoldCallTerms['where'], compileSchema: SchemaCompiler): readonly PlaceTest[] {
  return where.map(({ at, test }) => ({
    place: splitPath(at),
    holds: compileValueTest(test, 'A gold call', compileSchema),
  }));
}

/** Tested places pass their tests; everything else is compared with the gold call's own arguments. */
function fitting(gold: Json, how: ArgumentMatch, tests: readonly PlaceTest[]): (args: Json) => boolean {
  const untested = (args: Json): Json => tests.reduce((rest, { place }) => without(rest, place), args);
  const rest = untested(gold);
  return (args) =>
    tests.every(({ place, holds }) => holds(selectSegments(args, place))) &&
    matchesArguments(untested(args), rest, how);
}

/** Arguments come from an agent: what does not stand there is left as it is. */
function without(args: Json, place: readonly string[]): Json {
  if (place.length === 0) return null;
  return selectSegments(args, place) === undefined ? args : withoutPlace(args, place);
}
