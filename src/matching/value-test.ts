import type { Json } from '../types/json.ts';
import type { Comparison, ValueTest } from '../types/value-test.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { isJsonArray } from '../values/is-json.ts';
import { jsonText } from '../values/json-text.ts';
import { countWork } from '../values/work.ts';
import { compileTextMatch } from './text-match.ts';

/** Turns a JSON Schema into a function that lists a value's violations. */
export type SchemaCompiler = (schema: Json) => (value: Json) => readonly string[];

/** Compiles a test of one value; undefined is a value that is not there. `owner` names it in errors. */
export function compileValueTest(
  test: ValueTest,
  owner: string,
  compileSchema: SchemaCompiler,
): (value: Json | undefined) => boolean {
  switch (test.kind) {
    case 'contains':
      return ofText(compileTextMatch({ contains: test.text }, owner));
    case 'matches':
      return ofText(compileTextMatch({ matches: test.pattern }, owner));
    case 'schema': {
      const violations = compileSchema(test.schema);
      return (value) => value !== undefined && violations(value).length === 0;
    }
    default:
      return (value) => passes(test, value);
  }
}

/** Whether a value passes a comparison; undefined: there is none. */
export function passes(test: Comparison, value: Json | undefined): boolean {
  switch (test.kind) {
    case 'exists':
      return (value !== undefined) === test.exists;
    case 'equals':
      return value !== undefined && deepEqual(value, test.value);
    case 'not_equals':
      return value === undefined || !deepEqual(value, test.value);
    case 'above':
      return isAbove(value, test.value);
    case 'below':
      return isAbove(test.value, value);
    case 'in':
      return value !== undefined && isJsonArray(test.values) && test.values.some((one) => deepEqual(value, one));
  }
}

/** The text that tests of texts look at. */
export function testedText(value: Json): string {
  const text = typeof value === 'string' ? value : jsonText(value);
  countWork(text.length >> 1);
  return text;
}

function ofText(holds: (text: string) => boolean): (value: Json | undefined) => boolean {
  return (value) => value !== undefined && holds(testedText(value));
}

function isAbove(value: Json | undefined, bound: Json | undefined): boolean {
  if (typeof value === 'string' && typeof bound === 'string') return value > bound;
  return isNumber(value) && isNumber(bound) && value > bound;
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
