import type { Json } from '../../types/json.ts';
import { spacedJsonText } from '../../values/json-text.ts';

/**
 * A value as the text of an answer: text as it is, nothing as empty text, objects and lists as JSON with a space after
 * each comma and colon, truth values as `True` and `False`. Written as the contracts were that patterns come from.
 */
export function answerText(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return spacedJsonText(value);
}
