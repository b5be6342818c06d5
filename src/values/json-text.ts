import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray } from './is-json.ts';

/** Compact JSON text with keys sorted by code point (the byte order of UTF-8): equal values give equal texts. Any depth. */
export function jsonText(value: Json): string {
  return write(value, COMPACT);
}

/** JSON text with keys in their own order and a space after each comma and colon, as Python writes it. Any depth. */
export function spacedJsonText(value: Json): string {
  return write(value, SPACED);
}

interface Form {
  readonly comma: string;
  readonly colon: string;
  readonly sorted: boolean;
}

const COMPACT: Form = { comma: ',', colon: ':', sorted: true };
const SPACED: Form = { comma: ', ', colon: ': ', sorted: false };

function write(value: Json, form: Form): string {
  if (value === null || typeof value !== 'object') return scalarText(value);
  let text = '';
  // What is still to write, last first: ready text, or a value behind a wrapper that tells it from text.
  const open: Open = [{ value }];
  while (open.length > 0) {
    const next = open.pop() as Pending;
    if (typeof next === 'string') text += next;
    else if (next.value === null || typeof next.value !== 'object') text += scalarText(next.value);
    else if (isJsonArray(next.value)) pushArray(next.value, open, form);
    else pushObject(next.value, open, form);
  }
  return text;
}

/** JSON text of a value that has no others inside. */
export function scalarText(value: null | boolean | number | bigint | string): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Order of two texts by code point, which UTF-16 order is not: surrogates stand below U+E000. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const leftIsHigh = left >= 0xd800 && left <= 0xdfff;
    const rightIsHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftIsHigh !== rightIsHigh) return leftIsHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

type Pending = string | { readonly value: Json };
type Open = Pending[];

function pushArray(array: readonly Json[], open: Open, { comma }: Form): void {
  open.push(']');
  for (let i = array.length - 1; i >= 0; i--) {
    open.push({ value: array[i] as Json });
    if (i > 0) open.push(comma);
  }
  open.push('[');
}

function pushObject(object: JsonObject, open: Open, { comma, colon, sorted }: Form): void {
  const keys = Object.keys(object);
  if (sorted) keys.sort(byCodePoint);
  open.push('}');
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    open.push({ value: object[key] as Json }, `${i > 0 ? comma : ''}${JSON.stringify(key)}${colon}`);
  }
  open.push('{');
}
