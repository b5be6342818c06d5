import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt } from '../../values/json-fields.ts';

/** Attributes of real programs are flatter than this. */
const MOST_DEPTH = 64;

/** A field under its name in lowerCamelCase, or in snake_case as some collectors write it. */
export function otlpField(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object') return undefined;
  if (Object.hasOwn(value, name)) return (value as Readonly<Record<string, unknown>>)[name];
  return fieldAt(value, snakeCase(name));
}

export function otlpText(value: unknown, name: string): string {
  const found = otlpField(value, name);
  return typeof found === 'string' ? found : '';
}

export function otlpList(value: unknown, name: string): readonly unknown[] {
  const found = otlpField(value, name);
  return Array.isArray(found) ? found : [];
}

/** Spellings by name. The map stays small: callers ask for names of the protocol only. */
const SNAKE_CASE = new Map<string, string>();

function snakeCase(name: string): string {
  const cached = SNAKE_CASE.get(name);
  if (cached !== undefined) return cached;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  SNAKE_CASE.set(name, snake);
  return snake;
}

/**
 * An id as one spelling: hexadecimal digits in lower case. Protobuf's own JSON has Base64. '': there is none; ids of zeros
 * are none.
 */
export function otlpId(value: unknown): string {
  if (typeof value !== 'string' || /^0*$/.test(value)) return '';
  if (/^[0-9a-fA-F]+$/.test(value) && (value.length === 32 || value.length === 16)) return value.toLowerCase();
  if (/^(?:[\w+/-]{22}==|[\w+/-]{11}=)$/.test(value)) return Buffer.from(value, 'base64').toString('hex');
  return value;
}

/** Milliseconds since 1970, from nanoseconds as a number or as digits; null: the field is missing or is no time. */
export function otlpTime(value: unknown): number | null {
  const nanoseconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof nanoseconds !== 'number' || !Number.isFinite(nanoseconds) || nanoseconds <= 0) return null;
  return nanoseconds / 1e6;
}

/** Attributes by key. Of several with one key the first counts; `__proto__` is left out. */
export function otlpAttributes(list: readonly unknown[]): JsonObject {
  const attributes: Record<string, Json> = {};
  for (const one of list) {
    const { key, value } = (one ?? {}) as { readonly key?: unknown; readonly value?: unknown };
    // An assignment to `__proto__` makes no attribute.
    if (typeof key !== 'string' || key === '__proto__' || Object.hasOwn(attributes, key)) continue;
    attributes[key] = otlpValue(value);
  }
  return attributes;
}

/** The plain value of an `AnyValue`. A whole number written as text becomes a number where a double holds it exactly. */
export function otlpValue(value: unknown, depth = 0): Json {
  if (value === null || typeof value !== 'object' || depth > MOST_DEPTH) return null;
  for (const kind in value) {
    const plain = heldValue(kind, (value as Readonly<Record<string, unknown>>)[kind], depth);
    if (plain !== undefined) return plain;
  }
  return null;
}

function heldValue(kind: string, held: unknown, depth: number): Json | undefined {
  switch (kind) {
    case 'stringValue':
    case 'string_value':
    case 'bytesValue':
    case 'bytes_value':
      return typeof held === 'string' ? held : undefined;
    case 'intValue':
    case 'int_value':
      if (typeof held === 'string') return held !== '' && Number.isSafeInteger(Number(held)) ? Number(held) : held;
      return typeof held === 'number' ? held : undefined;
    case 'doubleValue':
    case 'double_value':
      // Protobuf's own JSON writes NaN and the infinities as text.
      return typeof held === 'number' || typeof held === 'string' ? held : undefined;
    case 'boolValue':
    case 'bool_value':
      return typeof held === 'boolean' ? held : undefined;
    case 'arrayValue':
    case 'array_value':
      return listAt(held, 'values').map((one) => otlpValue(one, depth + 1));
    case 'kvlistValue':
    case 'kvlist_value':
      return Object.fromEntries(
        listAt(held, 'values').map((one) => [
          String(fieldAt(one, 'key') ?? ''),
          otlpValue(fieldAt(one, 'value'), depth + 1),
        ]),
      );
    default:
      return undefined;
  }
}
