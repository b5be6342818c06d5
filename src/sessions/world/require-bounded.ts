import { MAX_VALUE_BYTES, valueBytes } from '../../engine/value-bytes.ts';
import type { Json } from '../../types/json.ts';
import { countWork } from '../../values/work.ts';
import { WorldError } from './state-place.ts';

/**
 * Bytes of a value as JSON. Values can hold others several times, and so grow without bound in a few steps: throws `WorldError`
 * for more than one value may have.
 */
export function requireBounded(value: Json, what: () => string): number {
  const bytes = valueBytes(value);
  countWork(bytes >> 6);
  if (bytes > MAX_VALUE_BYTES) throw new WorldError(`Of ${what()} there are more than ${MAX_VALUE_BYTES} bytes.`);
  return bytes;
}
