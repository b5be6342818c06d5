import type { Json } from '../types/json.ts';

/** How people who write values in one language call them. */
export interface Notation {
  /** Names of types of JSON Schema: `an object`. */
  readonly types: Readonly<Record<string, string>>;
  /** What a value is called that has a name of its own: `null`, and tables that stand for something else. */
  nameOf(value: Json): string | null;
}

/** What every notation calls alike. */
export const COMMON_TYPES = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
} as const;

/** JSON and what is made of it: answers of models, reports, objects of programs. */
export const JSON_NOTATION: Notation = {
  types: { ...COMMON_TYPES, object: 'an object', null: 'null' },
  nameOf: (value) => (value === null ? 'null' : null),
};
