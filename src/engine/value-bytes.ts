import type { ErrorMove } from '../plugin/node-type.ts';
import type { Json, JsonObject } from '../types/json.ts';

/** Largest output of one node. */
export const MAX_VALUE_BYTES = 1024 * 1024;
/** Stops the run in place of such an output. */
export const TOO_LARGE: ErrorMove = Object.freeze({
  kind: 'error',
  category: 'tool',
  message: `output of more than ${MAX_VALUE_BYTES} bytes exceeds the limit of one value`,
});
/** Outputs that one walk may keep at a time. */
export const MAX_WALK_BYTES = 8 * 1024 * 1024;

/**
 * Roughly what a value takes as JSON: UTF-16 units of its text, 8 for a number or word, 1 for each separator.
 * Stops counting just above `most`, so that its own cost is bounded.
 */
export function valueBytes(value: Json, most = MAX_VALUE_BYTES): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  let bytes = 0;
  const pending: Json[] = [value];
  while (pending.length > 0 && bytes <= most) {
    const next = pending.pop() as Json;
    if (typeof next === 'string') bytes += next.length + 2;
    else if (next === null || typeof next !== 'object') bytes += 8;
    else if (Array.isArray(next)) {
      bytes += next.length + 2;
      if (bytes > most) return bytes;
      for (const item of next) pending.push(item as Json);
    } else {
      for (const key of Object.keys(next)) {
        bytes += key.length + 4;
        pending.push((next as JsonObject)[key] as Json);
      }
    }
  }
  return bytes;
}
