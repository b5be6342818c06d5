import type { Json, JsonObject } from '../types/json.ts';
import { jsonIn } from '../values/json-in.ts';

/** What the first bytes of a JSON text say of it. */
export interface HeadJson {
  /** What the text is: an object, a list, objects line by line, or nothing of the kind. */
  readonly root: 'object' | 'list' | 'lines' | 'other';
  /** Of the object, of the list's first element or of the first line: the keys that begin within these bytes. */
  readonly keys: ReadonlySet<string>;
  /** Those of its values that end within these bytes. */
  readonly values: JsonObject;
}

const NONE: HeadJson = { root: 'other', keys: new Set(), values: {} };

/** What a JSON text is, by its first bytes; never throws. */
export function headJson(head: Uint8Array): HeadJson {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const first = text.trimStart();
  if (first.startsWith('[')) {
    const inside = first.slice(1).trimStart();
    return inside.startsWith('{') ? { root: 'list', ...fieldsOf(inside) } : { ...NONE, root: 'list' };
  }
  if (!first.startsWith('{')) return NONE;
  const { end, ...fields } = { ...fieldsOf(first) };
  const isFollowed = end !== null && first.slice(end).trimStart().startsWith('{');
  return { root: isFollowed ? 'lines' : 'object', ...fields };
}

interface HeadFields extends Omit<HeadJson, 'root'> {
  /** Position behind the object; null: it does not end within these bytes. */
  readonly end: number | null;
}

/** The fields of an object that begins with the text. */
function fieldsOf(text: string): HeadFields {
  const keys = new Set<string>();
  const values: [string, Json][] = [];
  let at = 1;
  for (;;) {
    at = spaceEnd(text, at);
    if (text[at] === '}') return { keys, values: Object.fromEntries(values), end: at + 1 };
    const keyEnd = valueEnd(text, at);
    const key = keyEnd === null ? undefined : jsonIn(text.slice(at, keyEnd));
    if (keyEnd === null || typeof key !== 'string') break;
    at = spaceEnd(text, keyEnd);
    if (text[at] !== ':') break;
    keys.add(key);
    at = spaceEnd(text, at + 1);
    const end = valueEnd(text, at);
    if (end === null) break;
    const value = jsonIn(text.slice(at, end));
    if (value !== undefined) values.push([key, value]);
    at = spaceEnd(text, end);
    if (text[at] === ',') at++;
    else if (text[at] !== '}') break;
  }
  return { keys, values: Object.fromEntries(values), end: null };
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

/** Position behind the value that begins here; null: it does not end within the text. */
function valueEnd(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      if (at >= text.length) return null;
      if (depth === 0) return at + 1;
    } else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') {
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (letter === ',' || letter === ':' || /\s/.test(letter ?? ''))) return at;
  }
  return null;
}
