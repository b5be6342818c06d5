import type { Json } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { arrayIndex, splitPath } from '../../values/select-path.ts';
import { setOwn } from '../../values/set-own.ts';

/** The value with what stands at a dotted path changed; null: nothing stands there, or `change` gives null. */
export function changeAt(value: Json, path: string, change: (part: Json) => Json | null): Json | null {
  return changed(value, splitPath(path), change);
}

function changed(value: Json, [first, ...rest]: readonly string[], change: (part: Json) => Json | null): Json | null {
  if (first === undefined) return change(value);
  if (isJsonArray(value)) {
    const index = arrayIndex(first);
    const part = value[index];
    const next = part === undefined ? null : changed(part, rest, change);
    return next === null ? null : value.map((one, at) => (at === index ? next : one));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return null;
  const next = changed(value[first] as Json, rest, change);
  if (next === null) return null;
  const copy: Record<string, Json> = {};
  // In the order in which it was written.
  for (const key of Object.keys(value)) setOwn(copy, key, key === first ? next : (value[key] as Json));
  return copy;
}
