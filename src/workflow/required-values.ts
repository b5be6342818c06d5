import type { Pointer } from '../source/place-tree.ts';
import type { JsonObject } from '../types/json.ts';
import { numberAt, textAt, textsAt, valueAt } from './raw-data.ts';
import type { Report } from './report.ts';

/** The text under a key that has to be there and not to be empty; '' when it is not, which is then reported. */
export function requiredText(table: JsonObject, key: string, at: Pointer, report: Report, hint?: string): string {
  const value = valueAt(table, key);
  // A value of another type has been told by the schema.
  if (value !== undefined && value !== '') return textAt(table, key) ?? '';
  const found = value === '' ? { at: [...at, key], message: `"${key}" must not be empty.` } : null;
  report({
    code: found === null ? 'missing_key' : 'out_of_range',
    message: found?.message ?? `This table needs the key "${key}".`,
    at: found?.at ?? at,
    ...(hint !== undefined && { hint }),
  });
  return '';
}

/** The texts under a key that has to be there and not to be empty. */
export function requiredTexts(table: JsonObject, key: string, at: Pointer, report: Report): readonly string[] {
  const value = valueAt(table, key);
  if (value === undefined) report({ code: 'missing_key', message: `This table needs the key "${key}".`, at });
  else if (Array.isArray(value) && value.length === 0)
    report({ code: 'out_of_range', message: `"${key}" must not be empty.`, at: [...at, key] });
  return textsAt(table, key);
}

/** The number under a key that has to be there and to be `least` or more; `least` when it is not there. */
export function requiredNumber(
  table: JsonObject,
  key: string,
  at: Pointer,
  { report, least }: { readonly report: Report; readonly least: number },
): number {
  const value = numberAt(table, key);
  if (valueAt(table, key) === undefined)
    report({ code: 'missing_key', message: `This table needs the key "${key}".`, at });
  else if (value !== undefined && value < least)
    report({ code: 'out_of_range', message: `"${key}" must be at least ${least}, not ${value}.`, at: [...at, key] });
  return value ?? least;
}
