import { resolve } from 'node:path';
import { checkJsonSchema } from '../../engine/json-schema.ts';
import { isTable, looksLikeSchema } from '../../source/json-schema.ts';
import { readSource } from '../../source/source-file.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json } from '../../types/json.ts';
import type { Reading } from './reading.ts';

/** The JSON Schema that stands under `schema`, or in the file that is named there; null: none, which is reported. */
export function readRuleSchema(value: Json | undefined, at: Pointer, reading: Reading): Json | null {
  const { report } = reading;
  const refuse = (message: string, place: Pointer = [...at, 'schema']): null => {
    report({ code: 'bad_schema', message, at: place, hint: 'Write a JSON Schema as a table, or name its file.' });
    return null;
  };
  if (value === undefined) {
    report({ code: 'missing_key', message: 'This table needs the key "schema".', at });
    return null;
  }
  const found = typeof value === 'string' ? readFile(value, reading) : { schema: value };
  if ('problem' in found) return refuse(found.problem);
  // Another type has been told by the schema of the file.
  if (!isTable(found.schema) || (typeof value === 'string' && !looksLikeSchema(found.schema))) {
    return typeof value === 'string' ? refuse(`File "${value}" is not a JSON Schema.`) : null;
  }
  const [problem] = checkJsonSchema(found.schema);
  return problem === undefined ? found.schema : refuse(`The schema cannot be enforced: ${problem}.`);
}

function readFile(name: string, { places }: Reading): { readonly schema: Json } | { readonly problem: string } {
  const read = readSource(resolve(places.folder, name), places);
  if (!read.ok) return { problem: read.issues[0]?.message ?? `"${name}" cannot be read.` };
  try {
    return { schema: JSON.parse(read.source.text) as Json };
  } catch {
    return { problem: `File "${name}" is not JSON.` };
  }
}
