import { isCount } from './is-count.ts';

/** The value under these keys and positions; undefined where there is none. For answers of servers nobody vouches for. */
export function fieldAt(value: unknown, ...keys: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of keys) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, key)) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[key];
  }
  return current;
}

export function textAt(value: unknown, ...keys: readonly (string | number)[]): string | null {
  const found = fieldAt(value, ...keys);
  return typeof found === 'string' ? found : null;
}

export function listAt(value: unknown, ...keys: readonly (string | number)[]): readonly unknown[] {
  const found = fieldAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** A number that somebody may have counted; null where there is none. */
export function countAt(value: unknown, ...keys: readonly (string | number)[]): number | null {
  const found = fieldAt(value, ...keys);
  return isCount(found) ? found : null;
}

/** Null where there is none. */
export function numberAt(value: unknown, ...keys: readonly (string | number)[]): number | null {
  const found = fieldAt(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** The text of an error object as all three providers send it, alone or in a list. */
export function errorTextAt(value: unknown): string | null {
  const error = fieldAt(value, 'error') ?? fieldAt(value, 0, 'error');
  if (typeof error === 'string') return error;
  return textAt(error, 'message') ?? textAt(value, 'message');
}
