import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray } from './is-json.ts';

/** True when both are the same JSON value: key order does not matter, 0 and −0 are the same number. Any depth. */
export function deepEqual(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (!isNested(left) || !isNested(right)) return false;
  // Pairs still to compare, instead of recursion: values come from outside and may be nested without limit.
  const open: Json[] = [left, right];
  while (open.length > 0) {
    const b = open.pop() as Json;
    const a = open.pop() as Json;
    if (a === b) continue;
    if (!isNested(a) || !isNested(b)) return false;
    if (!(isJsonArray(a) ? isJsonArray(b) && pushElements(a, b, open) : !isJsonArray(b) && pushMembers(a, b, open)))
      return false;
  }
  return true;
}

function pushElements(a: readonly Json[], b: readonly Json[], open: Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) open.push(a[i] as Json, b[i] as Json);
  return true;
}

function pushMembers(a: JsonObject, b: JsonObject, open: Json[]): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    open.push(a[key] as Json, b[key] as Json);
  }
  return true;
}

function isNested(value: Json): value is readonly Json[] | JsonObject {
  return value !== null && typeof value === 'object';
}
