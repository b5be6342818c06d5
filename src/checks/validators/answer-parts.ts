import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { countWork } from '../../values/work.ts';

// Readers of answers in Genkit's words. Models and plug-ins write them, so any shape is possible: what has another one is null.

/** The value under a key of an object; undefined: it is no object, or has no such key. */
export function fieldOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The text under a key; null: there is none. */
export function textOf(value: Json | undefined, key: string): string | null {
  const text = fieldOf(value, key);
  return typeof text === 'string' ? text : null;
}

/** The entries of the list under a key; []: there is no list. */
export function listOf(value: Json | undefined, key: string): readonly Json[] {
  const list = fieldOf(value, key);
  return isJsonArray(list) ? list : [];
}

/** The first answer of a response: its `message`, or that of the first of the `candidates` that old plug-ins give. */
export function messageOf(response: Json): JsonObject | null {
  const candidate = listOf(response, 'candidates')[0];
  const message = [fieldOf(response, 'message'), fieldOf(candidate, 'message')].find(isJsonObject);
  return message ?? null;
}

/** The parts of its message that are objects. */
export function partsOf(response: Json): readonly JsonObject[] {
  return objectsOf(messageOf(response), 'content');
}

export function objectsOf(value: Json | undefined, key: string): readonly JsonObject[] {
  return listOf(value, key).filter(isJsonObject);
}

/** All text of the parts, as an application reads it. */
export function joinedText(parts: readonly JsonObject[]): string {
  const text = parts.map((part) => textOf(part, 'text') ?? '').join('');
  countWork(text.length);
  return text;
}

/** Requests for tools among the parts, in order. */
export function toolRequestsOf(response: Json): readonly JsonObject[] {
  return partsOf(response)
    .map((part) => fieldOf(part, 'toolRequest'))
    .filter(isJsonObject);
}
