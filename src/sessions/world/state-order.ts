import type { Json } from '../../types/json.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { countWork } from '../../values/work.ts';

/**
 * The state with the lists at these places in one order, whatever order they had; a key of `*` stands for any. What does not
 * stand there or is no list stays as it is.
 */
export function withoutOrder(state: Json, places: readonly (readonly string[])[]): Json {
  return places.reduce((changed: Json, place) => sortedAt(changed, place, 0), state);
}

/** The state with all its lists in one order: what tells whether two states differ in nothing but order. */
export function withoutAnyOrder(state: Json): Json {
  if (isJsonArray(state)) return inOrder(state.map(withoutAnyOrder));
  if (!isJsonObject(state)) return state;
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, withoutAnyOrder(value)]));
}

function sortedAt(value: Json, place: readonly string[], from: number): Json {
  const key = place[from];
  if (key === undefined) return isJsonArray(value) ? inOrder(value) : value;
  const isMeant = (name: string): boolean => key === '*' || key === name;
  if (isJsonArray(value))
    return value.map((entry, at) => (isMeant(String(at)) ? sortedAt(entry, place, from + 1) : entry));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, isMeant(name) ? sortedAt(entry, place, from + 1) : entry]),
  );
}

/** In the order of their canonical texts, so that equal entries stand together. */
function inOrder(list: readonly Json[]): readonly Json[] {
  countWork(list.length * 10);
  const keyed = list.map((entry) => [canonicalKey(entry), entry] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, entry]) => entry);
}

/** What has no canonical form is compared as it is written. */
function canonicalKey(entry: Json): string {
  try {
    return canonicalJson(entry);
  } catch {
    return jsonText(entry);
  }
}
