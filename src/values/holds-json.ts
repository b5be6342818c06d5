import type { Json } from '../types/json.ts';
import { deepEqual } from './deep-equal.ts';
import { isJsonArray, isJsonObject } from './is-json.ts';

/**
 * True when a value holds all that a part of it says: objects may have more keys, lists must be as long, anything else
 * must be equal. Recursion goes as deep as `part`, which an author wrote, never as deep as the value.
 */
export function holdsJson(value: Json | undefined, part: Json): boolean {
  if (value === undefined) return false;
  if (isJsonArray(part)) {
    return isJsonArray(value) && value.length === part.length && part.every((item, at) => holdsJson(value[at], item));
  }
  if (!isJsonObject(part)) return deepEqual(value, part);
  if (!isJsonObject(value)) return false;
  return Object.entries(part).every(([key, inner]) =>
    holdsJson(Object.hasOwn(value, key) ? value[key] : undefined, inner),
  );
}
