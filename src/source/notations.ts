import { COMMON_TYPES, type Notation } from '../schema/notation.ts';
import type { Json } from '../types/json.ts';
import { DATE_TIME_KEY } from './toml-date-time.ts';
import { isTable } from './json-schema.ts';

/** TOML has no null: data of it has one where a file says `inf` or `nan`. */
export const TOML_NOTATION: Notation = {
  types: { ...COMMON_TYPES, object: 'a table', null: 'absent' },
  nameOf: (value) => (value === null ? 'inf or nan' : dateTime(value)),
};

/** In YAML null is a value that was left out. */
export const YAML_NOTATION: Notation = {
  types: TOML_NOTATION.types,
  nameOf: (value) => (value === null ? 'nothing' : null),
};

function dateTime(value: Json): string | null {
  return isTable(value) && Object.hasOwn(value, DATE_TIME_KEY) ? 'a date or time' : null;
}
