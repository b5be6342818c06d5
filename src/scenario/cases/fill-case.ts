import { isTable } from '../../source/json-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { jsonText } from '../../values/json-text.ts';
import { selectSegments, splitPath } from '../../values/select-path.ts';
import type { Report } from '../../workflow/report.ts';
import type { CaseRow } from './case-rows.ts';

const MARKER = /\{\{\s*(case|matrix)\.([^{}]*?)\s*\}\}/g;

/** Who hears what of the filling. */
export interface Filling {
  readonly report: Report;
  /** Gets what markers named, such as `case.question` and `matrix.model`. */
  readonly used: Set<string>;
}

/**
 * The data of a scenario file, without `cases` and `matrix`, with `{{case.field}}` and `{{matrix.axis}}` replaced in every text
 * but that of an inline workflow, which has markers of its own: see `fillWorkflow`. A text that is one marker becomes the value,
 * with its type; in any other text the value becomes text. Nothing inserted is looked at again. What there is not is reported;
 * where a file has no cases, or no matrix, their markers are texts like any other.
 */
export function fillCase(data: JsonObject, row: CaseRow, filling: Filling): JsonObject {
  const { cases: _, ladder: __, matrix: ___, ...rest } = data;
  return filled(rest, (kind, path, at) =>
    behindMarker(kind === 'case' ? row.fields : row.combination?.fields, { kind, path, at }, filling),
  );
}

/** The data of the workflow that a file names or holds, with `{{matrix.axis}}` replaced; all other markers are the workflow's. */
export function fillWorkflow(data: JsonObject, { combination }: CaseRow, filling: Filling): JsonObject {
  return filled(data, (kind, path, at) =>
    behindMarker(kind === 'matrix' ? combination?.fields : undefined, { kind, path, at }, filling),
  );
}

type MarkerKind = 'case' | 'matrix';

interface Marker {
  readonly kind: MarkerKind;
  readonly path: string;
  /** Of the text that it stands in. */
  readonly at: Pointer;
}

/** Undefined: the marker stays. */
type Find = (kind: MarkerKind, path: string, at: Pointer) => Json | undefined;

function behindMarker(
  fields: JsonObject | undefined,
  { kind, path, at }: Marker,
  { report, used }: Filling,
): Json | undefined {
  if (fields === undefined) return undefined;
  used.add(`${kind}.${splitPath(path)[0] ?? ''}`);
  const found = selectSegments(fields, splitPath(path));
  if (found !== undefined) return found;
  report({
    code: 'unknown_field',
    message: `The ${kind === 'case' ? 'case has no field' : 'matrix has no axis'} "${path}".`,
    at,
    hint: () => hintFor(path, Object.keys(fields), kind === 'case' ? 'fields' : 'axes'),
  });
  return null;
}

function filled(data: JsonObject, find: Find): JsonObject {
  const fill = (value: Json, at: Pointer): Json => {
    if (typeof value === 'string') return fillText(value, (kind, path) => find(kind, path, at));
    if (Array.isArray(value)) return value.map((entry: Json, index) => fill(entry, [...at, index]));
    if (!isTable(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, isInline(at, key) ? entry : fill(entry, [...at, key])]),
    );
  };
  return fill(data, []) as JsonObject;
}

function isInline(at: Pointer, key: string): boolean {
  return key === 'inline' && at.length === 1 && at[0] === 'workflow';
}

function fillText(text: string, find: (kind: MarkerKind, path: string) => Json | undefined): Json {
  const [only, ...others] = text.matchAll(MARKER);
  if (only === undefined) return text;
  // The pattern has no other kinds, and null is a value.
  const valueAt = (marker: string, kind: string, path: string): Json => {
    const value = find(kind as MarkerKind, path);
    return value === undefined ? marker : value;
  };
  if (others.length === 0 && only[0] === text) return valueAt(text, only[1] ?? '', only[2] ?? '');
  return text.replace(MARKER, (marker, kind: string, path: string) => {
    const value = valueAt(marker, kind, path);
    return typeof value === 'string' ? value : jsonText(value);
  });
}
