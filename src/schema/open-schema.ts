import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';

/** The same schema for readers: keys that it does not know are left alone, as those of a later version are. */
export function openSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)]));
}

function opened(value: Json): Json {
  if (isJsonArray(value)) return value.map(opened);
  return isJsonObject(value) ? openSchema(value) : value;
}
