import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';

/** The table under a key; an empty one when it is absent or something else. */
export function tableAt(table: JsonObject, key: string): JsonObject {
  const value = valueAt(table, key);
  return isTable(value) ? value : {};
}

/** The list under a key; an empty one when it is absent or something else. */
export function listAt(table: JsonObject, key: string): readonly Json[] {
  const value = valueAt(table, key);
  return Array.isArray(value) ? value : [];
}

/** The tables of a list with their positions; other elements are left out. */
export function tablesAt(
  table: JsonObject,
  key: string,
): readonly { readonly index: number; readonly table: JsonObject }[] {
  const tables: { readonly index: number; readonly table: JsonObject }[] = [];
  for (const [index, item] of listAt(table, key).entries()) if (isTable(item)) tables.push({ index, table: item });
  return tables;
}

/** What each table of a list means; other elements are left out. */
export function tablesAs<T>(table: JsonObject, key: string, read: (table: JsonObject) => T): readonly T[] {
  return listAt(table, key).filter(isTable).map(read);
}

/** The text under a key; undefined when it is absent or something else. */
export function textAt(table: JsonObject, key: string): string | undefined {
  const value = valueAt(table, key);
  return typeof value === 'string' ? value : undefined;
}

/** The number under a key; undefined when it is absent or something else. */
export function numberAt(table: JsonObject, key: string): number | undefined {
  const value = valueAt(table, key);
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a list under a key; other elements are left out. */
export function textsAt(table: JsonObject, key: string): readonly string[] {
  return listAt(table, key).filter((item) => typeof item === 'string');
}

/** The value under a key of its own; never one of the prototype's. */
export function valueAt(table: JsonObject, key: string): Json | undefined {
  const value = table[key];
  // Most keys that are asked for are absent, and only a value that is there may be the prototype's.
  return value === undefined || Object.hasOwn(table, key) ? value : undefined;
}
