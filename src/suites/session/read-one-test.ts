import { checkJsonSchema } from '../../engine/json-schema.ts';
import { checkPattern } from '../../scenario/check-patterns.ts';
import { tellIdleTests } from '../../scenario/idle-tests.ts';
import { readValueTests, testWords } from '../../scenario/read-values.ts';
import { markerPath } from '../../sessions/world/fill.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { VALUE_TESTS, type ValueTest } from '../../types/value-test.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { exactJsonIn } from '../../values/json-in.ts';

/** The one test of a table with the keys of tests; null where there is none or several, or it is wrong, which is told. */
export function readOneTest(table: JsonObject, at: Pointer, report: Report): ValueTest | null {
  const words = testWords(table);
  const [word] = words;
  if (word === undefined || words.length > 1) {
    report({
      code: 'bad_test',
      message: word === undefined ? 'This tests nothing.' : `This tests several things: ${words.join(', ')}.`,
      at,
      hint: `Give each test one of ${VALUE_TESTS.join(', ')}.`,
    });
    return null;
  }
  const value = valueAt(table, word) ?? null;
  const problem = problemOf(word, value);
  if (problem !== null) {
    report({ code: 'bad_test', message: problem, at: [...at, word] });
    return null;
  }
  if (word === 'matches' && typeof value === 'string' && !checkPattern(value, [...at, word], report)) return null;
  tellIdleTests(table, at, report);
  return readValueTests(table, (schema) => schema)[0] ?? null;
}

/** What the schema of the file cannot say of the value of a test; null: nothing is wrong. */
function problemOf(word: (typeof VALUE_TESTS)[number], value: Json): string | null {
  switch (word) {
    case 'in': {
      const isList = isJsonArray(value) || (typeof value === 'string' && markerPath(value) !== null);
      return isList ? null : '"in" must be a list, or a marker that stands for one.';
    }
    case 'equals_json':
      return typeof value === 'string' && exactJsonIn(value) === undefined ? 'This is not JSON.' : null;
    case 'schema': {
      if (!isJsonObject(value)) return '"schema" must be a table.';
      const [first] = checkJsonSchema(value);
      return first === undefined ? null : `This JSON Schema is wrong: ${first}.`;
    }
    default:
      return null;
  }
}
