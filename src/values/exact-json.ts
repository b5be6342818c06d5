import type { Json } from '../types/json.ts';

/**
 * What a JSON text says. Whole numbers that a double would round are bigints; others are numbers. Throws where `JSON.parse`
 * does.
 */
export function parseJson(text: string): Json {
  return MAY_BE_LARGE.test(text) ? (JSON.parse(markIntegers(text), reviveInteger) as Json) : (JSON.parse(text) as Json);
}

/** Below 16 digits every whole number is exact. */
const MAY_BE_LARGE = /\d{16}/;

/** True for the text of a whole number that a double would round. */
function isLarge(token: string): boolean {
  return /^-?[1-9]\d*$/.test(token) && !Number.isSafeInteger(Number(token));
}

// Readers and writers of JSON that know only doubles get large integers as marked texts: NUL and the digits. No JSON text
// holds a bare NUL, so a text that begins with one is easily told, and gets a second one to stay what it is.

const TOKEN = /(?:("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))(\s*:)?/g;
const NUL = '\u0000';

/** The same JSON text with marked texts in place of large integers. */
export function markIntegers(text: string): string {
  if (!MAY_BE_LARGE.test(text) && !text.includes('"\\u0000')) return text;
  return text.replace(TOKEN, (token, string?: string, number?: string, colon?: string) => {
    if (colon !== undefined) return token;
    if (number !== undefined) return isLarge(number) ? `"\\u0000${number}"` : token;
    return string?.startsWith('"\\u0000') === true ? `"\\u0000${string.slice(1)}` : token;
  });
}

/** The same JSON text with large integers in place of marked texts. */
export function unmarkIntegers(text: string): string {
  if (!text.includes('\\u0000')) return text;
  return text.replace(TOKEN, (token, string?: string, _number?: string, colon?: string) => {
    if (string === undefined || colon !== undefined) return token;
    const digits = /^"\\u0000(-?\d+)"$/.exec(string)?.[1];
    if (digits !== undefined) return digits;
    return string.startsWith('"\\u0000\\u0000') ? `"${string.slice('"\\u0000'.length)}` : token;
  });
}

/** JSON text of plain data as `JSON.stringify` writes it, with exact integers; `space`: blanks for each level. */
export function writeJson(value: unknown, space = 0): string {
  try {
    return JSON.stringify(value, null, space);
  } catch {
    // It holds bigints, or it is no plain data, which throws again.
    return unmarkIntegers(JSON.stringify(value, markInteger, space));
  }
}

/** Lists and objects as deep as this are written part by part. */
const DEEPEST_PARTS = 3;

/** `writeJson(value, 2)` in pieces, so that a text of any length can be printed: none may be longer than half a gigabyte. */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (typeof value !== 'object' || value === null || depth >= DEEPEST_PARTS) {
    yield writeJson(value, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
    return;
  }
  const isList = Array.isArray(value);
  const indent = '  '.repeat(depth + 1);
  let before = isList ? '[' : '{';
  for (const [key, inner] of Object.entries(value)) {
    // As `JSON.stringify` has it: nothing in a list is null, elsewhere it is left out.
    if (inner === undefined && !isList) continue;
    yield `${before}\n${indent}${isList ? '' : `${JSON.stringify(key)}: `}`;
    yield* jsonPieces(inner ?? null, depth + 1);
    before = ',';
  }
  yield before === ',' ? `\n${'  '.repeat(depth)}${isList ? ']' : '}'}` : isList ? '[]' : '{}';
}

/** A value of plain data as text for `readExactJson`, whatever integers it holds. */
export function exactJsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (!text.includes('"\\u0000')) return text;
  } catch {
    // It holds bigints, which are marked below, or it is no plain data, which throws again.
  }
  return JSON.stringify(value, markInteger);
}

/** What `exactJsonText` wrote. */
export function readExactJson(text: string): unknown {
  return text.includes('"\\u0000') ? JSON.parse(text, reviveInteger) : JSON.parse(text);
}

/** For `JSON.parse`: marked texts become bigints. */
export function reviveInteger(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(NUL)) return value;
  return value.startsWith(NUL, 1) ? value.slice(1) : BigInt(value.slice(1));
}

function markInteger(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${NUL}${value}`;
  return typeof value === 'string' && value.startsWith(NUL) ? `${NUL}${value}` : value;
}

/** For `JSON.stringify`, where the text is for readers: bigints become their digits as text. */
export function integerAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
