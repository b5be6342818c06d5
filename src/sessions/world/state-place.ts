import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { arrayIndex } from '../../values/select-path.ts';
import { countWork } from '../../values/work.ts';

/** Keys and positions that lead to a place of a state, as they are. */
export type Place = readonly string[];

/** Thrown where a step cannot be done in this state: the world is wrong, which says nothing about the agent. */
export class WorldError extends Error {}

/** The state with another value at a place; the given one stays as it is. Tables on the way are made where they are missing. */
export function withValue(state: Json, place: Place, value: Json): Json {
  return changed(state, place, { at: 0, to: () => value });
}

/** The state with one more entry in the list at a place, which is made where it is missing. */
export function withEntry(state: Json, place: Place, entry: Json): Json {
  return changed(state, place, {
    at: 0,
    to: (found) => {
      if (found === undefined) return [entry];
      if (isJsonArray(found)) {
        countWork(found.length >> 3);
        return [...found, entry];
      }
      throw new WorldError(`What stands at ${placeText(place)} is no list.`);
    },
  });
}

/** The state without what stands at a place; the same state where there is nothing. */
export function withoutPlace(state: Json, place: Place): Json {
  const last = place.at(-1);
  if (last === undefined) throw new WorldError('The whole state cannot be removed.');
  const holderPlace = place.slice(0, -1);
  return changed(state, holderPlace, { at: 0, to: (holder) => without(holder, last), isKept: true });
}

function without(holder: Json | undefined, key: string): Json | undefined {
  if (isJsonArray(holder)) {
    const index = arrayIndex(key);
    return index < 0 || index >= holder.length ? holder : holder.filter((_, at) => at !== index);
  }
  if (!isJsonObject(holder) || !Object.hasOwn(holder, key)) return holder;
  return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key));
}

interface Change {
  /** How many steps of the place have been walked. */
  readonly at: number;
  readonly to: (found: Json | undefined) => Json | undefined;
  /** True: where the place is missing nothing is made. */
  readonly isKept?: true;
}

/** Copies what stands on the way and nothing else. */
function changed(value: Json | undefined, place: Place, change: Change): Json {
  const key = place[change.at];
  if (key === undefined) return change.to(value) ?? null;
  const next = { ...change, at: change.at + 1 };
  countWork(sizeOf(value) >> 3);
  if (isJsonArray(value)) {
    const index = arrayIndex(key);
    if (index < 0 || index >= value.length)
      throw new WorldError(`There is no entry ${placeText(place.slice(0, next.at))}.`);
    return value.map((entry, at) => (at === index ? changed(entry, place, next) : entry));
  }
  if (value !== undefined && !isJsonObject(value)) {
    throw new WorldError(`What stands at ${placeText(place.slice(0, change.at))} is neither a table nor a list.`);
  }
  const table: JsonObject = value ?? {};
  const found = Object.hasOwn(table, key) ? table[key] : undefined;
  if (found === undefined && change.isKept === true) return table;
  // A computed key is an own one, whatever it is called.
  return { ...table, [key]: changed(found, place, next) };
}

/** How much is copied of it. */
function sizeOf(value: Json | undefined): number {
  if (isJsonArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/** A place as messages show it. */
export function placeText(place: Place): string {
  return place.length === 0 ? 'the top' : `"${place.join('.')}"`;
}
