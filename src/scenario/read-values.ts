import type { Json, JsonObject } from '../types/json.ts';
import type { ValueExpectation, ValueTest } from '../types/scenario.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import { present } from './read-matches.ts';
import { parseJson } from '../values/exact-json.ts';

/** Finds the JSON Schema that a value test names or holds. */
export type SchemaOf = (value: Json) => Json;

/** The value expectations of `[expected]`, one for each test. */
export function readValues(expected: JsonObject, schemaOf: SchemaOf): readonly ValueExpectation[] {
  const final = readTests(tableAt(expected, 'final'), schemaOf);
  return [...final, ...tablesAt(expected, 'values').flatMap(({ table }) => readTests(table, schemaOf))];
}

function readTests(table: JsonObject, schemaOf: SchemaOf): readonly ValueExpectation[] {
  const place = { ...present('node', textAt(table, 'node')), ...present('path', textAt(table, 'path')) };
  const tests: ValueTest[] = [];
  const equals = valueAt(table, 'equals');
  const jsonText = textAt(table, 'equals_json');
  const json = jsonText === undefined ? undefined : parseJsonText(jsonText);
  const contains = textAt(table, 'contains');
  const matches = textAt(table, 'matches');
  const exists = valueAt(table, 'exists');
  const schema = valueAt(table, 'schema');
  if (equals !== undefined) tests.push({ kind: 'equals', value: equals });
  if (json !== undefined) tests.push({ kind: 'equals', value: json });
  if (contains !== undefined) tests.push({ kind: 'contains', text: contains });
  if (matches !== undefined) tests.push({ kind: 'matches', pattern: matches });
  if (typeof exists === 'boolean') tests.push({ kind: 'exists', exists });
  if (schema !== undefined) tests.push({ kind: 'schema', schema: schemaOf(schema) });
  return tests.map((test) => ({ ...place, test }));
}

/** The value a text says in JSON; undefined: it says none. */
export function parseJsonText(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
