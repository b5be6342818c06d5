import { PasskError } from '../errors.ts';
import type { Json } from '../types/json.ts';

/**
 * The value as canonical JSON: the same value gives the same text everywhere. Keys are ordered by UTF-16 code units, numbers
 * and texts are written as ECMAScript does, and nothing stands between tokens. Source: RFC 8785 (JCS).
 * Throws `INPUT` for what has no canonical form: NaN, infinities, whole numbers that a double cannot hold, and halves of
 * characters (lone surrogates).
 */
export function canonicalJson(value: Json): string {
  const parts: string[] = [];
  write(value, parts);
  return parts.join('');
}

/** Recursive: whatever is signed is made by passk, and its readers bound nesting before they come here. */
function write(value: Json, parts: string[]): void {
  if (value === null || typeof value === 'boolean') parts.push(String(value));
  else if (typeof value === 'number') parts.push(numberText(value));
  else if (typeof value === 'string') parts.push(stringText(value));
  else if (typeof value === 'bigint') parts.push(bigintText(value));
  else if (Array.isArray(value)) writeList(value, parts);
  else writeTable(value as { readonly [key: string]: Json }, parts);
}

function writeList(list: readonly Json[], parts: string[]): void {
  let separator = '[';
  for (const item of list) {
    parts.push(separator);
    write(item, parts);
    separator = ',';
  }
  parts.push(list.length === 0 ? '[]' : ']');
}

function writeTable(table: { readonly [key: string]: Json }, parts: string[]): void {
  // Objects list keys that look like integers first, so the order is made here. Sorting without a comparison is by code units.
  const keys = Object.keys(table)
    .filter((key) => table[key] !== undefined)
    .sort();
  let separator = '{';
  for (const key of keys) {
    parts.push(separator, stringText(key), ':');
    write(table[key] ?? null, parts);
    separator = ',';
  }
  parts.push(keys.length === 0 ? '{}' : '}');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return JSON.stringify(value);
  throw new PasskError('INPUT', `${value} has no canonical JSON.`, { hint: 'Write null, and why there is no number.' });
}

function bigintText(value: bigint): string {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return String(value);
  throw new PasskError('INPUT', `${value} has no canonical JSON: a double cannot hold it.`, {
    hint: 'Write it as a text.',
  });
}

function stringText(value: string): string {
  if (value.isWellFormed()) return JSON.stringify(value);
  throw new PasskError('INPUT', 'A text with half a character (a lone surrogate) has no canonical JSON.', {
    hint: 'Replace it before the text is signed.',
  });
}
