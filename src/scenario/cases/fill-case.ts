import { isTable } from '../../source/json-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { jsonText } from '../../values/json-text.ts';
import { selectSegments, splitPath } from '../../values/select-path.ts';
import type { Report } from '../../workflow/report.ts';
import type { Case } from './read-cases.ts';

const MARKER = /\{\{\s*case\.([^{}]*?)\s*\}\}/g;

/** What filling a scenario's data for one case gave. */
export interface FilledCase {
  /** Without `cases`. */
  readonly data: JsonObject;
  /** Markers that were filled in. */
  readonly markers: number;
}

/**
 * The data of a scenario file with `{{case.field}}` replaced in every text but that of an inline workflow, which has markers of
 * its own. A text that is one marker becomes the field's value, with its type; in any other text the value becomes text.
 * Nothing inserted is looked at again. Fields that a case does not have are reported.
 */
export function fillCase(data: JsonObject, { fields }: Case, report: Report): FilledCase {
  let markers = 0;
  const find = (path: string, at: Pointer): Json => {
    markers++;
    const found = selectSegments(fields, splitPath(path));
    if (found !== undefined) return found;
    report({
      code: 'unknown_field',
      message: `The case has no field "${path}".`,
      at,
      hint: () => hintFor(path, Object.keys(fields), 'fields'),
    });
    return null;
  };
  const fill = (value: Json, at: Pointer): Json => {
    if (typeof value === 'string') return fillText(value, (path) => find(path, at));
    if (Array.isArray(value)) return value.map((entry: Json, index) => fill(entry, [...at, index]));
    if (!isTable(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, isInline(at, key) ? entry : fill(entry, [...at, key])]),
    );
  };
  const { cases: _, ladder: __, ...rest } = data;
  return { data: fill(rest, []) as JsonObject, markers };
}

function isInline(at: Pointer, key: string): boolean {
  return key === 'inline' && at.length === 1 && at[0] === 'workflow';
}

function fillText(text: string, find: (path: string) => Json): Json {
  const [only, ...others] = text.matchAll(MARKER);
  if (only === undefined) return text;
  if (others.length === 0 && only[0] === text) return find(only[1] ?? '');
  return text.replace(MARKER, (_, path: string) => {
    const value = find(path);
    return typeof value === 'string' ? value : jsonText(value);
  });
}
