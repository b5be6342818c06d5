import type { Json } from '../types/json.ts';
import { isJsonObject } from './is-json.ts';

/** The payload with the prompt at the end of a way of keys; tables on the way are made where there are none. */
export function withPrompt(payload: Json, way: readonly string[], prompt: string): Json {
  const [key, ...rest] = way;
  if (key === undefined) return prompt;
  const table = isJsonObject(payload) ? payload : {};
  const inner = Object.hasOwn(table, key) ? (table[key] ?? null) : null;
  return { ...table, [key]: withPrompt(inner, rest, prompt) };
}

/** Whether a prompt can be put there without anything that the author wrote being lost. */
export function takesPrompt(payload: Json, way: readonly string[]): boolean {
  let value: Json | undefined = payload;
  for (const key of way) {
    if (value === null || value === undefined) return true;
    if (!isJsonObject(value)) return false;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return true;
}
