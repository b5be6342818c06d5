import type { Json } from '../types/json.ts';
import { isJsonArray, isJsonObject } from './is-json.ts';
import { setOwn } from './set-own.ts';

/** The value without keys whose value is null; entries of lists stay. For values whose depth is bounded. */
export function withoutNulls<T extends Json>(value: T): T;
export function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return value.map((entry) => withoutNulls(entry));
  if (!isJsonObject(value)) return value;
  const fields: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) if (entry !== null) setOwn(fields, key, withoutNulls(entry));
  return fields;
}
