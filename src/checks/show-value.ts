import { shortenDataUris } from '../text/data-uris.ts';
import type { Json } from '../types/json.ts';
import { jsonText } from '../values/json-text.ts';

/** A value on one line of a message: as JSON, shortened, and data URIs in it as well. */
export function showValue(value: Json): string {
  return typeof value === 'string' ? showText(value) : cut(shortenDataUris(jsonText(value)), SHOWN);
}

/** Text on one line of a message: quoted and escaped, shortened, and data URIs in it as well. */
export function showText(original: string): string {
  const text = shortenDataUris(original);
  if (text.length <= SHOWN) return JSON.stringify(text);
  return `${JSON.stringify(`${whole(text, SHOWN)}…`)} (${text.length} characters)`;
}

/** Patterns on one line of a message: as they are written, since backslashes that double are another pattern. */
export function showPatterns(...patterns: readonly string[]): string {
  const listed = patterns.map((pattern) => `/${pattern}/`).join(' or ');
  return cut(listed.replaceAll('\n', '\\n').replaceAll('\r', '\\r'), SHOWN);
}

/** A name on one line of a message: bare where nothing in it could mislead, else quoted. */
export function showName(name: string): string {
  return /^[\w.:#/-]{1,160}$/.test(name) ? name : showText(name);
}

/** The value itself up to 2 KB of text; beyond, the beginning of its text, with data URIs shortened, and a marker. */
export function capped(value: Json): Json {
  if (value === null || (typeof value !== 'object' && typeof value !== 'string')) return value;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.length <= KEPT ? value : cut(shortenDataUris(text), KEPT);
}

const SHOWN = 160;
const KEPT = 2048;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${whole(text, length)}… (${text.length} characters)`;
}

/** The beginning of a text, never ending in half a surrogate pair. */
function whole(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
