import { compileTemplate } from '../../engine/template.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { selectSegments, splitPath } from '../../values/select-path.ts';
import { WorldError } from './state-place.ts';

/** A value with the markers of its texts filled in. */
export type Filled = (data: JsonObject) => Json;

/**
 * Compiles a value whose texts may hold markers. A text that is one marker becomes the value behind it, null where there is
 * none; in any other text a marker becomes text, and stays where nothing is behind it.
 */
export function compileFill(value: Json): Filled {
  if (typeof value === 'string') return compileText(value);
  if (isJsonArray(value)) {
    const entries = value.map(compileFill);
    return (data) => entries.map((entry) => entry(data));
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([key, entry]) => [key, compileFill(entry)] as const);
    return (data) => Object.fromEntries(entries.map(([key, entry]) => [key, entry(data)]));
  }
  return () => value;
}

/** The path of a text that is one marker; null: it is not. */
export function markerPath(text: string): string | null {
  const inner = /^\{\{([^{}]*)\}\}$/.exec(text)?.[1];
  return inner === undefined ? null : inner.trim();
}

/** The value behind a text that is one marker, undefined where there is none; any other value filled. */
export function compileLookup(value: Json): (data: JsonObject) => Json | undefined {
  const path = typeof value === 'string' ? markerPath(value) : null;
  if (path === null) return compileFill(value);
  const segments = splitPath(path);
  return (data) => selectSegments(data, segments);
}

function compileText(text: string): Filled {
  if (!text.includes('{{')) return () => text;
  if (markerPath(text) !== null) {
    const find = compileLookup(text);
    return (data) => find(data) ?? null;
  }
  const template = compileTemplate(text, 'value');
  return (data) => {
    const filled = template(data);
    if (filled === null) throw new WorldError('A text of the world is too long when its markers are filled in.');
    return filled;
  };
}
