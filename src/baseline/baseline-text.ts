import { type Baseline, BASELINE_FORMAT } from '../types/baseline.ts';
import type { Json } from '../types/json.ts';
import { jsonText } from '../values/json-text.ts';

/**
 * The canonical text of a baseline (RFC 8785): equal baselines give equal bytes. Keys are ASCII, so that the order by
 * code point is the standard's order by UTF-16 code unit; numbers and strings are written as ECMAScript writes them.
 */
export function baselineText({ passk, seed, scenarios }: Baseline): string {
  // Plain data by its type.
  return jsonText({ format: BASELINE_FORMAT, passk, seed, scenarios } as unknown as Json);
}
