import type { TSchema } from 'typebox';
import { fitsSchema } from '../source/fits-schema.ts';
import { readExactJson } from '../values/exact-json.ts';

/** A value of this shape, or null when it has another. `T` is what the schema describes. */
export function shaped<T>(value: unknown, schema: TSchema): T | null {
  return fitsSchema(schema, value) ? (value as T) : null;
}

/** The same for a text of `exactJsonText`; null also when it is none. */
export function shapedJson<T>(value: unknown, schema: TSchema): T | null {
  if (typeof value !== 'string') return null;
  try {
    return shaped(readExactJson(value), schema);
  } catch {
    return null;
  }
}
