import type { Json } from '../types/json.ts';
import { selectSegments } from '../values/select-path.ts';

/** The segments of a context path; the first names a node or `trigger`. There is no escaping. */
export function splitPath(path: string): string[] {
  return path.split('.');
}

/** What the segments from position `from` on lead to; undefined: nothing. An empty segment is the key `""`. */
export function lookUp(value: Json, segments: readonly string[], from: number): Json | undefined {
  return selectSegments(value, from === 0 ? segments : segments.slice(from));
}
