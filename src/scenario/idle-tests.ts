import type { Pointer } from '../source/place-tree.ts';
import type { JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';
import { occursInEveryText } from '../values/linear-search.ts';
import { isPattern } from './check-patterns.ts';
import { textAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';

/** Tells of tests that whatever there is would pass: texts and patterns that every text has, schemas that ask nothing. */
export function tellIdleTests(table: JsonObject, at: Pointer, report: Report): void {
  const tell = (key: string, message: string, hint: string): void =>
    report({ code: 'asserts_nothing', severity: 'warning', message, at: [...at, key], hint });
  for (const key of ['contains', 'body_contains']) {
    if (textAt(table, key) === '') tell(key, EVERY_TEXT, 'Write a text that must occur.');
  }
  for (const key of ['matches', 'body_matches']) {
    const pattern = textAt(table, key);
    if (pattern === undefined || !isPattern(pattern) || !occursInEveryText(pattern)) continue;
    tell(key, EVERY_TEXT, 'Write a pattern that some text does not have: \\S is in any text that is not blank.');
  }
  const schema = valueAt(table, 'schema');
  if (isJsonObject(schema) && Object.keys(schema).every((key) => REMARKS.has(key))) {
    tell('schema', 'Every value fits this schema, so it tells nothing apart.', 'Say what must hold, such as a type.');
  }
}

const EVERY_TEXT = 'Every text has this, so it tells nothing apart.';
/** Keys of a JSON Schema that ask nothing of a value. */
const REMARKS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'examples',
  'default',
]);
