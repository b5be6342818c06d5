import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from './is-json.ts';

/** The same value with every text in it changed, but for keys. Recursive: for values of bounded depth only. */
export function mapTexts<T extends Json>(value: T, change: (text: string) => string): T {
  return changed(value, change) as T;
}

function changed(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isJsonArray(value)) return value.map((entry) => changed(entry, change));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, entry]) => [key, changed(entry, change)] as const);
  return Object.fromEntries(entries);
}
