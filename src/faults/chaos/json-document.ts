import { isRecord } from '../../values/is-json.ts';
import { parseJson } from '../../values/exact-json.ts';

/** The text as a JSON object; null: it is none. */
export function jsonObjectOf(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = parseJson(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** The words of a text: whatever white space stands between. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
