import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { NO_ENTRIES, NO_ITEMS } from '../values/empty.ts';

/** The table under a key; an empty one when it is absent or something else. */
export function tableAt(table: JsonObject, key: string): JsonObject {
  const value = valueAt(table, key);
  return isTable(value) ? value : NO_ENTRIES;
}

/** The list under a key; an empty one when it is absent or something else. */
export function listAt(table: JsonObject, key: string): readonly Json[] {
  const value = table[key];
  return Array.isArray(value) ? value : NO_ITEMS;
}

/** The tables of a list with their positions; other elements are left out. */
export function tablesAt(
  table: JsonObject,
  key: string,
): readonly { readonly index: number; readonly table: JsonObject }[] {
  const value = table[key];
  if (!Array.isArray(value) || value.length === 0) return NO_ITEMS;
  const tables: { readonly index: number; readonly table: JsonObject }[] = [];
  for (let index = 0; index < value.length; index++) {
    const item: Json | undefined = value[index];
    if (isTable(item)) tables.push({ index, table: item });
  }
  return tables;
}

/** What each table of a list means; other elements are left out. */
export function tablesAs<T>(table: JsonObject, key: string, read: (table: JsonObject) => T): readonly T[] {
  const value = table[key];
  if (!Array.isArray(value) || value.length === 0) return NO_ITEMS;
  const list: readonly Json[] = value;
  // A list that is made whole has no room to spare, which would be kept with it.
  return (areTables(list) ? list : list.filter(isTable)).map((item) => read(item));
}

function areTables(list: readonly Json[]): list is readonly JsonObject[] {
  for (const item of list) if (!isTable(item)) return false;
  return true;
}

/** The text under a key; undefined when it is absent or something else. */
export function textAt(table: JsonObject, key: string): string | undefined {
  // No prototype has texts, numbers or lists, so they are the table's own.
  const value = table[key];
  return typeof value === 'string' ? value : undefined;
}

/** The number under a key; undefined when it is absent or something else. */
export function numberAt(table: JsonObject, key: string): number | undefined {
  const value = table[key];
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a list under a key; other elements are left out. */
export function textsAt(table: JsonObject, key: string): readonly string[] {
  const value = table[key];
  if (!Array.isArray(value) || value.length === 0) return NO_ITEMS;
  const list: readonly Json[] = value;
  return areTexts(list) ? list : list.filter((item) => typeof item === 'string');
}

function areTexts(list: readonly Json[]): list is readonly string[] {
  for (const item of list) if (typeof item !== 'string') return false;
  return true;
}

/** The value under a key of its own; never one of the prototype's. */
export function valueAt(table: JsonObject, key: string): Json | undefined {
  const value = table[key];
  // Most keys that are asked for are absent: only what is found may be a prototype's.
  return value === undefined || Object.hasOwn(table, key) ? value : undefined;
}
