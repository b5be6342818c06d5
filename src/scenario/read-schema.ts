import { isTable, looksLikeSchema } from '../source/json-schema.ts';
import { displayName, OUTSIDE, readSource } from '../source/source-file.ts';
import type { JsonObject } from '../types/json.ts';
import { findFile, type Places } from './places.ts';
import type { RegistryView } from './registry-view.ts';
import { jsonIn } from '../values/json-in.ts';

/** A JSON Schema that the author wrote or named, or why there is none. */
export type SchemaFound =
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  /** There is no such file, or it cannot be read. */
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** It cannot be enforced as it is written. */
  | { readonly kind: 'bad'; readonly problem: string };

/** Reads a JSON Schema from a table, or from the file it names. */
export function readSchema(
  value: string | JsonObject,
  options: { readonly places: Places; readonly registry: RegistryView; readonly namingFolder: string | null },
): SchemaFound {
  if (typeof value !== 'string') return checked(value, 'The schema', options.registry);
  const file = findFile(value, options.places, options.namingFolder);
  if (file === null || file.climbsTooFar) return { kind: 'unreadable', problem: `There is no file "${value}".` };
  const read = readSource(file.path, options.places);
  const outside = read.ok ? undefined : read.issues.find(({ code }) => code === OUTSIDE);
  if (outside !== undefined) return { kind: 'bad', problem: `${outside.message} ${outside.hint ?? ''}`.trimEnd() };
  if (!read.ok) return { kind: 'unreadable', problem: read.issues[0]?.message ?? `"${value}" cannot be read.` };
  const name = displayName(file.path, options.places.root);
  const parsed = jsonIn(read.source.text);
  if (parsed === undefined) return { kind: 'bad', problem: `File "${name}" is not JSON.` };
  // An untrusted scenario may name any file of its project: nothing of one that is no schema goes anywhere.
  if (!isTable(parsed) || !looksLikeSchema(parsed)) {
    return { kind: 'bad', problem: `File "${name}" is not a JSON Schema.` };
  }
  return checked(parsed, `The schema in "${name}"`, options.registry);
}

function checked(schema: JsonObject, subject: string, registry: RegistryView): SchemaFound {
  const [problem, ...others] = registry.checkJsonSchema(schema);
  if (problem === undefined) return { kind: 'schema', schema };
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return { kind: 'bad', problem: `${subject} cannot be enforced: ${problem}${more}.` };
}
