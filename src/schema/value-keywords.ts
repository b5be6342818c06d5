import type { Json } from '../types/json.ts';
import { deepEqual } from '../values/deep-equal.ts';
import type { Dialect } from './dialect.ts';
import type { Keyword } from './rule.ts';
import { type BrokenKeyword, type NumberBounds, violation } from './violation.ts';

/** Texts beyond have no format: what is checked by such a name is short. */
const MAX_FORMAT_CHARS = 64 * 1024;
/** Multiples of a fraction are told to within this. */
const TOLERANCE = 1e-10;

/** Makes the keywords that compare a value with what the schema says, by their names. */
export const VALUE_KEYWORDS: Readonly<Record<string, (expected: Json, dialect: Dialect) => Keyword>> = {
  type: (expected, { takesBigints }) => {
    const types = (Array.isArray(expected) ? expected : [expected]) as readonly string[];
    const isOfType = (value: Json) => types.some((type) => hasType(value, type, takesBigints));
    return { ...simple(isOfType, { keyword: 'type', types }), explains: 'alone' };
  },
  minLength: (least) =>
    onText((text) => hasCharacters(text, Number(least)), { keyword: 'minLength', limit: Number(least) }),
  maxLength: (most) =>
    onText((text) => !hasCharacters(text, Number(most) + 1), { keyword: 'maxLength', limit: Number(most) }),
  format: (name, { format }) => {
    const test = format(String(name));
    const holds = (text: string) => test === undefined || (text.length <= MAX_FORMAT_CHARS && test(text));
    return onText(holds, { keyword: 'format', name: String(name) });
  },
  pattern: (pattern, dialect) =>
    onText(dialect.pattern(String(pattern)), { keyword: 'pattern', name: String(pattern) }),
  multipleOf: (divisor) =>
    simple((value) => !isNumber(value) || isMultiple(value, Number(divisor)), {
      keyword: 'multipleOf',
      divisor: Number(divisor),
    }),
  const: (expected) => oneOfValues([expected]),
  enum: (expected) => oneOfValues(expected as readonly Json[]),
};

/** All bounds of a number, which are told together. */
export function range(bounds: NumberBounds): Keyword {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = bounds;
  const holds = (value: number | bigint): boolean =>
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY) &&
    value < (exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  return simple((value) => !isNumber(value) || holds(value), { keyword: 'range', bounds });
}

function simple(holds: (value: Json) => boolean, broken: BrokenKeyword): Keyword {
  return { holds, explain: (value) => [violation(value, broken)] };
}

function oneOfValues(allowed: readonly Json[]): Keyword {
  const size = sizeOf(allowed as Json);
  const isAllowed = (value: Json) => allowed.some((candidate) => deepEqual(value, candidate));
  return {
    ...simple(isAllowed, { keyword: 'enum', allowed, types: [] }),
    holds: (value, check) => {
      check.count(size);
      return isAllowed(value);
    },
    explains: 'alone',
  };
}

function onText(holds: (value: string) => boolean, broken: BrokenKeyword): Keyword {
  return {
    ...simple(() => true, broken),
    holds: (value, check) => {
      if (typeof value !== 'string') return true;
      check.count(value.length >> 4);
      return holds(value);
    },
  };
}

function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a value has a type by its name in JSON Schema; `takesBigints` as in `Dialect`. */
export function hasType(value: Json, name: string, takesBigints: boolean): boolean {
  switch (name) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value) || (takesBigints && typeof value === 'bigint');
    case 'number':
      // What is no finite number is none.
      return Number.isFinite(value) || (takesBigints && typeof value === 'bigint');
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === name;
  }
}

/** True when a text has at least so many characters, counted by code point. */
function hasCharacters(text: string, least: number): boolean {
  if (text.length < least) return false;
  // No character takes more than two units.
  if (text.length >= 2 * least) return true;
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.codePointAt(at) as number) <= 0xffff) continue;
    pairs++;
    at++;
  }
  return text.length - pairs >= least;
}

function isMultiple(value: number | bigint, divisor: number): boolean {
  if (typeof value === 'bigint') {
    if (divisor === 0) return false;
    return Number.isInteger(divisor) ? value % BigInt(divisor) === 0n : isMultiple(Number(value), divisor);
  }
  if (Number.isInteger(value) && (1 / divisor) % 1 === 0) return true;
  const rest = value % divisor;
  return Math.min(Math.abs(rest), Math.abs(rest - divisor), Math.abs(rest + divisor)) < TOLERANCE;
}

/** How many values there are in a value, itself included. */
function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((size, inner) => size + sizeOf(inner as Json), 1);
}
