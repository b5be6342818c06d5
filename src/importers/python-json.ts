import { ImportError } from '../plugin/importer-type.ts';
import type { JsonObject } from '../types/json.ts';
import { parseObject, utf8Text } from './read-record.ts';

const NOT_FINITE = /-?\b(?:NaN|Infinity)\b/g;

/**
 * The object in JSON of Python, which may hold `NaN`, `Infinity` and `-Infinity`: each becomes null. Throws an `ImportError`
 * where the piece holds no object.
 */
export function readPythonObject(piece: Uint8Array | undefined): JsonObject {
  return parsePythonObject(utf8Text(piece ?? new Uint8Array(0)));
}

/** The same of a text. */
export function parsePythonObject(text: string): JsonObject {
  try {
    return parseObject(text);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const finite = withoutNotFinite(text);
    if (finite === text) throw error;
    return parseObject(finite);
  }
}

/** The JSON text with `null` for each number that is not finite. Strings in it do not change. */
function withoutNotFinite(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = indexOrEnd(text, '"', at);
    parts.push(text.slice(at, quote).replace(NOT_FINITE, 'null'));
    at = stringEnd(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}

/** Position behind the string that begins here. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; ) {
    const quote = indexOrEnd(text, '"', at);
    let slashes = 0;
    while (quote - slashes - 1 > from && text[quote - slashes - 1] === '\\') slashes++;
    if (slashes % 2 === 0) return Math.min(text.length, quote + 1);
    at = quote + 1;
  }
  return text.length;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}
