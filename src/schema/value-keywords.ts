import type { Json } from '../types/json.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { jsonText } from '../values/json-text.ts';
import type { Dialect } from './dialect.ts';
import type { Keyword } from './rule.ts';
import type { SchemaCheck } from './schema-check.ts';

/** Texts beyond have no format: what is checked by such a name is short. */
const MAX_FORMAT_CHARS = 64 * 1024;
/** Multiples of a fraction are told to within this. */
const TOLERANCE = 1e-10;

/** Makes the keywords that compare a value with what the schema says, by their names. */
export const VALUE_KEYWORDS: Readonly<Record<string, (wanted: Json, dialect: Dialect) => Keyword>> = {
  type: (wanted, { takesBigints }) => {
    const names = Array.isArray(wanted) ? (wanted as readonly string[]) : [String(wanted)];
    const text = Array.isArray(wanted) ? `must be either ${names.join(' or ')}` : `must be ${names.join('')}`;
    return simple((value) => names.some((name) => hasType(value, name, takesBigints)), text);
  },
  minLength: (least) =>
    onText((text) => hasCharacters(text, Number(least)), `must not have fewer than ${least} characters`),
  maxLength: (most) =>
    onText((text) => !hasCharacters(text, Number(most) + 1), `must not have more than ${most} characters`),
  format: (name, { format }) => {
    const test = format(String(name));
    const holds = (text: string) => test === undefined || (text.length <= MAX_FORMAT_CHARS && test(text));
    return onText(holds, `must match format "${name}"`);
  },
  pattern: (pattern, dialect) => onText(dialect.pattern(String(pattern)), `must match pattern "${pattern}"`),
  exclusiveMinimum: (limit) => onNumber((value) => value > Number(limit), `must be > ${limit}`),
  exclusiveMaximum: (limit) => onNumber((value) => value < Number(limit), `must be < ${limit}`),
  minimum: (limit) => onNumber((value) => value >= Number(limit), `must be >= ${limit}`),
  maximum: (limit) => onNumber((value) => value <= Number(limit), `must be <= ${limit}`),
  multipleOf: (divisor) => onNumber((value) => isMultiple(value, Number(divisor)), `must be multiple of ${divisor}`),
  const: (wanted) => {
    const size = sizeOf(wanted);
    return counted((value) => deepEqual(value, wanted), size, 'must be equal to constant');
  },
  enum: (options) => {
    const allowed = options as readonly Json[];
    const size = sizeOf(allowed);
    return counted(
      (value) => allowed.some((option) => deepEqual(value, option)),
      size,
      'must be equal to one of the allowed values',
    );
  },
  uniqueItems: (wanted) => ({
    holds: (value, check) => wanted === false || !Array.isArray(value) || isUnique(value as readonly Json[], check),
    explain: (_, at, list) => list.add(at, 'must not have duplicate items'),
  }),
};

function simple(holds: (value: Json) => boolean, text: string): Keyword {
  return { holds, explain: (_, at, list) => list.add(at, text) };
}

function counted(holds: (value: Json) => boolean, steps: number, text: string): Keyword {
  return {
    holds: (value, check) => {
      check.count(steps);
      return holds(value);
    },
    explain: (_, at, list) => list.add(at, text),
  };
}

function onNumber(holds: (value: number | bigint) => boolean, text: string): Keyword {
  return simple((value) => (typeof value !== 'number' && typeof value !== 'bigint') || holds(value), text);
}

function onText(holds: (value: string) => boolean, text: string): Keyword {
  return {
    holds: (value, check) => {
      if (typeof value !== 'string') return true;
      check.count(value.length >> 4);
      return holds(value);
    },
    explain: (_, at, list) => list.add(at, text),
  };
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

function isUnique(items: readonly Json[], check: SchemaCheck): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = jsonText(item);
    check.count(1 + (text.length >> 2));
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** How many values there are in a value, itself included. */
function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((size, inner) => size + sizeOf(inner as Json), 1);
}
