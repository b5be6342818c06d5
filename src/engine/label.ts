import type { Json } from '../types/json.ts';
import { scalarText } from '../values/json-text.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';

/** False for null, false, zero, and empty text, arrays and objects; true for everything else. */
export function isTruthy(value: Json): boolean {
  if (isJsonArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The branch label of a value: text as it is, JSON text for other scalars, the type's name for the rest. */
export function labelOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (isJsonArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return scalarText(value);
}

/** The JSON name of a value's type. */
export function typeName(value: Json): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'string';
  return isJsonArray(value) ? 'array' : 'object';
}
