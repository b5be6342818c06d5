import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { tableAt, tablesAt, valueAt } from '../workflow/raw-data.ts';
import { toIssue } from '../workflow/report.ts';
import type { Places } from './places.ts';
import { readSchema } from './read-schema.ts';
import type { RegistryView } from './registry-view.ts';

/** The JSON Schemas behind the value tests of a scenario, by what stands in the document. */
export interface TestSchemas {
  readonly found: ReadonlyMap<Json, Json>;
  readonly issues: readonly Issue[];
}

/** Reads every JSON Schema that a value test names or holds. */
export function resolveTestSchemas(document: SourceDocument, places: Places, registry: RegistryView): TestSchemas {
  const expected = tableAt(document.data, 'expected');
  const written: (readonly [value: Json | undefined, at: Pointer])[] = [
    [valueAt(tableAt(expected, 'final'), 'schema'), ['expected', 'final', 'schema']],
  ];
  for (const { index, table } of tablesAt(expected, 'values')) {
    written.push([valueAt(table, 'schema'), ['expected', 'values', index, 'schema']]);
  }
  const found = new Map<Json, Json>();
  const issues: Issue[] = [];
  for (const [value, at] of written) {
    if (typeof value !== 'string' && !isTable(value)) continue;
    const schema = readSchema(value, { places, registry, namingFolder: null });
    if (schema.kind === 'schema') {
      found.set(value, schema.schema);
      continue;
    }
    const hint = 'Name a JSON Schema file relative to the scenario file, or write the schema as a table.';
    issues.push(toIssue({ code: 'bad_json_schema', message: schema.problem, at, hint }, document.locate));
  }
  return { found, issues };
}
