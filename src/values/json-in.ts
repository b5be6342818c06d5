import type { Json } from '../types/json.ts';
import { parseJson } from './exact-json.ts';

/** The value of a JSON text, its numbers as doubles; undefined: it is no JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The same with whole numbers that a double would round as bigints. */
export function exactJsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
