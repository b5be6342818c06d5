import type { Json } from '../types/json.ts';
import { isJsonArray } from './is-json.ts';

/**
 * The value at a dotted path inside `value`; undefined when there is none. Empty segments are skipped, so the empty
 * path is the whole value; array elements are named by unsigned integers.
 */
export function selectPath(value: Json, path: string): Json | undefined {
  return selectSegments(value, splitPath(path));
}

/** The segments of a dotted path, for `selectSegments`: split once, walked often. */
export function splitPath(path: string): readonly string[] {
  return path.split('.').filter((segment) => segment !== '');
}

/** The value that the segments lead to; undefined when there is none. Allocates nothing. */
export function selectSegments(value: Json, segments: readonly string[]): Json | undefined {
  let current = value;
  for (let i = 0; i < segments.length; i++) {
    const next = child(current, segments[i] as string);
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}

/** The array position a segment names: digits with an optional leading `+`; −1 when it names none. */
export function arrayIndex(segment: string): number {
  const from = segment.charCodeAt(0) === PLUS ? 1 : 0;
  if (from === segment.length) return -1;
  let index = 0;
  for (let i = from; i < segment.length; i++) {
    const digit = segment.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  // No array is that long; beyond it sums lose digits.
  return index <= 0xffffffff ? index : -1;
}

const PLUS = 0x2b;
const ZERO = 0x30;

function child(value: Json, segment: string): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (isJsonArray(value)) return value[arrayIndex(segment)];
  // Own keys only: `constructor` and `__proto__` are found exactly when the document has them.
  return Object.hasOwn(value, segment) ? value[segment] : undefined;
}
