import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { setOwn } from '../../values/set-own.ts';
import { arrayIndex } from '../../values/select-path.ts';
import { countWork } from '../../values/work.ts';
import { OwnParts } from './own-parts.ts';

/** Keys and positions that lead to a place of a state, as they are. */
export type Place = readonly string[];

/** Thrown where a step cannot be done in this state: the world is wrong, which says nothing about the agent. */
export class WorldError extends Error {}

/**
 * The state with another value at a place. Tables on the way are made where they are missing. The given state stays as it is,
 * but for what is its own.
 */
export function withValue(state: Json, place: Place, value: Json, own = new OwnParts()): Json {
  return changed(state, 0, { place, own, to: () => value });
}

/** The same with one more entry in the list at a place, which is made where it is missing. */
export function withEntry(state: Json, place: Place, entry: Json, own = new OwnParts()): Json {
  return changed(state, 0, { place, own, to: (found) => withOneMore(found, entry, { place, own }) });
}

function withOneMore(found: Json | undefined, entry: Json, { place, own }: Pick<Change, 'place' | 'own'>): Json {
  if (found === undefined) return own.add([entry]);
  if (!isJsonArray(found)) throw new WorldError(`What stands at ${placeText(place)} is no list.`);
  if (own.has(found)) {
    const list = found as Json[];
    list.push(entry);
    own.noteChange(() => list.pop());
    return list;
  }
  countWork(found.length >> 3);
  return own.add([...found, entry]);
}

/** The same without what stands at a place; the same state where there is nothing. */
export function withoutPlace(state: Json, place: Place, own = new OwnParts()): Json {
  const last = place.at(-1);
  if (last === undefined) throw new WorldError('The whole state cannot be removed.');
  const to = (holder: Json | undefined): Json | undefined => without(holder, last, own);
  return changed(state, 0, { place: place.slice(0, -1), own, to, isKept: true });
}

function without(holder: Json | undefined, key: string, own: OwnParts): Json | undefined {
  if (isJsonArray(holder)) {
    const index = arrayIndex(key);
    return index < 0 || index >= holder.length ? holder : own.add(holder.filter((_, at) => at !== index));
  }
  if (!isJsonObject(holder) || !Object.hasOwn(holder, key)) return holder;
  return own.add(Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key)));
}

interface Change {
  readonly place: Place;
  readonly own: OwnParts;
  readonly to: (found: Json | undefined) => Json | undefined;
  /** True: where the place is missing nothing is made. */
  readonly isKept?: true;
}

/** Copies what stands on the way, where it is not the state's own, and nothing else. `at`: how many steps have been walked. */
function changed(value: Json | undefined, at: number, change: Change): Json {
  const { place, isKept } = change;
  const key = place[at];
  if (key === undefined) return change.to(value) ?? null;
  if (isJsonArray(value)) {
    const index = arrayIndex(key);
    if (index < 0 || index >= value.length)
      throw new WorldError(`There is no entry ${placeText(place.slice(0, at + 1))}.`);
    return withEntryAt(value, index, changed(value[index], at + 1, change), change.own);
  }
  if (value !== undefined && !isJsonObject(value)) {
    throw new WorldError(`What stands at ${placeText(place.slice(0, at))} is neither a table nor a list.`);
  }
  const table: JsonObject = value ?? {};
  const found = Object.hasOwn(table, key) ? table[key] : undefined;
  if (found === undefined && isKept === true) return table;
  return withKey(table, key, changed(found, at + 1, change), change.own);
}

function withEntryAt(list: readonly Json[], index: number, entry: Json, own: OwnParts): Json {
  const before = list[index] as Json;
  if (entry === before) return list;
  if (!own.has(list)) {
    countWork(list.length >> 3);
    return own.add(list.with(index, entry));
  }
  const mine = list as Json[];
  own.noteChange(() => {
    mine[index] = before;
  });
  mine[index] = entry;
  return mine;
}

function withKey(table: JsonObject, key: string, part: Json, own: OwnParts): Json {
  const before = Object.hasOwn(table, key) ? table[key] : undefined;
  if (part === before) return table;
  if (!own.has(table)) {
    countWork(Object.keys(table).length >> 3);
    const copy: Record<string, Json> = { ...table };
    setOwn(copy, key, part);
    return own.add(copy);
  }
  const mine = table as Record<string, Json>;
  own.noteChange(() => {
    if (before === undefined) delete mine[key];
    else setOwn(mine, key, before);
  });
  setOwn(mine, key, part);
  return mine;
}

/** A place as messages show it. */
export function placeText(place: Place): string {
  return place.length === 0 ? 'the top' : `"${place.join('.')}"`;
}
