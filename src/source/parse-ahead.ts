import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { parseTables, plainToml } from './plain-toml.ts';
import { valueAt } from './value-at.ts';

// A text that one thread parses for another: JSON is read in a quarter of the time.

/** What a text says, as parsing it gives. */
export interface KnownData {
  readonly data: JsonObject;
  /** What the text at `workflow.inline` says in turn; null: there is none, or nobody has parsed it. */
  readonly inline: JsonObject | null;
}

/** What a text says, for `fromJson`; null where only who tells its problems can parse it, or JSON cannot hold it. */
export function toJson(text: string): string | null {
  const data = exactData(text);
  if (data === null) return null;
  const inner = valueAt(data, ['workflow', 'inline']);
  const inline = typeof inner === 'string' ? exactData(inner) : null;
  return JSON.stringify([data, inline]);
}

/** What `toJson` said. */
export function fromJson(json: string): KnownData {
  const [data, inline] = JSON.parse(json) as [JsonObject, JsonObject | null];
  return { data, inline };
}

function exactData(text: string): JsonObject | null {
  try {
    const data = plainToml(parseTables(text));
    return data !== null && fitsJson(data) ? data : null;
  } catch {
    return null;
  }
}

/** JSON has no number -0. */
function fitsJson(value: Json): boolean {
  if (typeof value === 'number') return !Object.is(value, -0);
  if (isJsonArray(value)) return value.every(fitsJson);
  return !isJsonObject(value) || Object.values(value).every(fitsJson);
}
