import type { Json } from '../types/json.ts';
import { jsonText } from '../values/json-text.ts';

/** Text as it is, any other value as compact JSON: how values become file contents, bodies and template text. */
export function plainText(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}
