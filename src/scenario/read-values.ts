import type { Json, JsonObject } from '../types/json.ts';
import type { ValueExpectation } from '../types/scenarios/expected.ts';
import { VALUE_TESTS, type ValueTest } from '../types/value-test.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import { present } from './read-matches.ts';
import { exactJsonIn } from '../values/json-in.ts';

/** Finds the JSON Schema that a value test names or holds. */
export type SchemaOf = (value: Json) => Json;

/** The value expectations of `[expected]`, one for each test. */
export function readValues(expected: JsonObject, schemaOf: SchemaOf): readonly ValueExpectation[] {
  const final = readTests(tableAt(expected, 'final'), schemaOf);
  const others = tablesAt(expected, 'values').flatMap(({ table, index }) =>
    readTests(table, schemaOf).map((one) => ({ table: index, ...one })),
  );
  return [...final, ...others];
}

function readTests(table: JsonObject, schemaOf: SchemaOf): readonly ValueExpectation[] {
  const place = { ...present('node', textAt(table, 'node')), ...present('path', textAt(table, 'path')) };
  return readValueTests(table, schemaOf).map((test) => ({ ...place, test }));
}

/** The tests of one value that a table has, in the order of `VALUE_TESTS`. What is no test of its kind is left out. */
export function readValueTests(table: JsonObject, schemaOf: SchemaOf): readonly ValueTest[] {
  return VALUE_TESTS.flatMap((word) => {
    const value = valueAt(table, word);
    const test = value === undefined ? null : testOf(word, value, schemaOf);
    return test === null ? [] : [test];
  });
}

/** The words of tests that a table has. */
export function testWords(table: JsonObject): readonly (typeof VALUE_TESTS)[number][] {
  return VALUE_TESTS.filter((word) => valueAt(table, word) !== undefined);
}

function testOf(word: (typeof VALUE_TESTS)[number], value: Json, schemaOf: SchemaOf): ValueTest | null {
  switch (word) {
    case 'equals_json': {
      const parsed = typeof value === 'string' ? exactJsonIn(value) : undefined;
      return parsed === undefined ? null : { kind: 'equals', value: parsed };
    }
    case 'contains':
      return typeof value === 'string' ? { kind: word, text: value } : null;
    case 'matches':
      return typeof value === 'string' ? { kind: word, pattern: value } : null;
    case 'exists':
      return typeof value === 'boolean' ? { kind: word, exists: value } : null;
    case 'in':
      return { kind: word, values: value };
    case 'schema':
      return { kind: word, schema: schemaOf(value) };
    default:
      return { kind: word, value };
  }
}
