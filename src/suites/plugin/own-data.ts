import type { Json } from '../../types/json.ts';
import { plainCopy } from '../../values/plain-json.ts';

/** Longest JSON text, about, of what a plug-in gives for one file. */
const MAX_LENGTH = 64 * 1024 * 1024;

/**
 * A copy of what a suite plug-in returned, so that shards and reports can carry it and the plug-in cannot change it later.
 * Throws a `TypeError` for what is not plain data.
 */
export function ownData(returned: unknown): Json {
  if (returned instanceof Promise) {
    // Nobody waits for it, so what it rejects with must not end the process.
    returned.catch(() => undefined);
    throw new TypeError('it returned a promise, and must answer at once');
  }
  const copy = plainCopy(returned, { maxLength: MAX_LENGTH, leavesOutUndefined: true });
  if (copy.ok) return copy.value;
  throw new TypeError(`it returned what is no plain data: ${copy.reason}`);
}
