import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray } from './is-json.ts';

/** True when both are the same JSON value: key order does not matter, 0 and −0 are the same number. Any depth. */
export function deepEqual(left: Json, right: Json): boolean {
  return isEqual(left, right, false);
}

/** True when `JSON.stringify` writes both alike: the same value, with keys in the same order. */
export function writtenAlike(left: Json, right: Json): boolean {
  return isEqual(left, right, true);
}

function isEqual(left: Json, right: Json, ordered: boolean): boolean {
  if (left === right) return true;
  if (!isNested(left) || !isNested(right)) return false;
  // Pairs still to compare, instead of recursion: values come from outside and may be nested without limit.
  const open: Json[] = [left, right];
  const comparing = { open, ordered };
  while (open.length > 0) {
    const b = open.pop() as Json;
    const a = open.pop() as Json;
    if (a === b) continue;
    if (!isNested(a) || !isNested(b)) return false;
    if (
      !(isJsonArray(a) ? isJsonArray(b) && pushElements(a, b, open) : !isJsonArray(b) && pushMembers(a, b, comparing))
    )
      return false;
  }
  return true;
}

interface Comparing {
  readonly open: Json[];
  readonly ordered: boolean;
}

function pushElements(a: readonly Json[], b: readonly Json[], open: Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) open.push(a[i] as Json, b[i] as Json);
  return true;
}

function pushMembers(a: JsonObject, b: JsonObject, { open, ordered }: Comparing): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (ordered ? others[i] !== key : !Object.hasOwn(b, key)) return false;
    open.push(a[key] as Json, b[key] as Json);
  }
  return true;
}

function isNested(value: Json): value is readonly Json[] | JsonObject {
  return value !== null && typeof value === 'object';
}
