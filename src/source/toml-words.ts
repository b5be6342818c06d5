import { hasType as isOfType } from '../schema/value-keywords.ts';
import type { Json } from '../types/json.ts';
import type { JsonSchema } from './json-schema.ts';
import { DATE_TIME_KEY } from './toml-date-time.ts';
import { jsonText } from '../values/json-text.ts';

const LONGEST_QUOTE = 40;

const WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['object', 'a table'],
  ['array', 'an array'],
  ['null', 'absent'],
]);

/** Types a schema allows; null: any. */
export function typesOf(schema: JsonSchema): readonly string[] | null {
  if (schema.type === undefined) return null;
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** True when the value has one of the types; null allows any. */
export function hasType(value: Json, types: readonly string[] | null): boolean {
  return types === null || types.some((type) => isOfType(value, type, false));
}

/** Types as TOML users know them: `a string or a table`. */
export function expectedWords(types: readonly string[]): string {
  const words = [...new Set(types.map((type) => WORDS.get(type) ?? type))];
  const last = words.pop() ?? 'something else';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

/** What null stands for in data of TOML. */
export const NULL_IN_TOML = 'inf or nan';

/** A value as TOML users know it, shortened: `the string "abc"`, `a table`. */
export function describeValue(value: Json): string {
  if (value === null) return NULL_IN_TOML;
  switch (typeof value) {
    case 'string':
      return `the string ${quoted(value)}`;
    case 'number':
      return Number.isInteger(value) ? `the integer ${value}` : `the number ${value}`;
    case 'bigint':
      return `the integer ${value}`;
    case 'boolean':
      return String(value);
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return Object.hasOwn(value, DATE_TIME_KEY) ? 'a date or time' : 'a table';
}

/** A value where its type is clear from itself: `"abc"`, `3`, `a table`. */
export function shortValue(value: Json): string {
  return typeof value === 'string'
    ? quoted(value)
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : describeValue(value);
}

/** A value in a list of allowed ones: strings without quotes. */
export function asPlainWord(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function quoted(value: string): string {
  return JSON.stringify(value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value);
}
