import type { Json } from '../types/json.ts';
import type { ValueTest } from '../types/scenario.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { jsonText } from '../values/json-text.ts';
import { countWork } from '../values/work.ts';
import { showValue } from './show-value.ts';
import { compileTextTest, type TextTest } from './text-test.ts';

/** Turns a JSON Schema into a function that lists a value's violations. */
export type SchemaCompiler = (schema: Json) => (value: Json) => readonly string[];

/** A test of one value; `undefined` is a value that is not there. */
export interface CompiledTest {
  readonly expected: Json;
  readonly wanted: string;
  readonly holds: (value: Json | undefined) => boolean;
  readonly saw: (value: Json | undefined) => string;
}

/** Compiles the test of a value expectation. `contains` and `matches` look at text as it is and at other values' JSON. */
export function compileValueTest(test: ValueTest, owner: string, compileSchema: SchemaCompiler): CompiledTest {
  switch (test.kind) {
    case 'equals': {
      const { value: expected } = test;
      return { expected, wanted: showValue(expected), holds: remembering((value) => deepEqual(value, expected)), saw };
    }
    case 'contains':
      return ofText(compileTextTest({ contains: test.text }, owner));
    case 'matches':
      return ofText(compileTextTest({ matches: test.pattern }, owner));
    case 'exists': {
      const { exists } = test;
      return {
        expected: exists,
        wanted: exists ? 'a value' : 'no value',
        holds: (value) => (value !== undefined) === exists,
        saw,
      };
    }
    case 'schema':
      return schemaTest(test.schema, compileSchema(test.schema));
  }
}

function ofText({ expected, wanted, holds }: TextTest): CompiledTest {
  return { expected, wanted, holds: remembering((value) => holds(textOf(value))), saw };
}

function schemaTest(schema: Json, violations: (value: Json) => readonly string[]): CompiledTest {
  return {
    expected: schema,
    wanted: 'a value that fits the schema',
    holds: remembering((value) => violations(value).length === 0),
    saw: (value) => {
      const first = value === undefined ? undefined : violations(value)[0];
      return first === undefined ? saw(value) : `${saw(value)} (${first})`;
    },
  };
}

/**
 * Judges each value once for as long as it stays the same one: pure programs give the same object trial after trial,
 * and values are never mutated.
 */
function remembering(test: (value: Json) => boolean): (value: Json | undefined) => boolean {
  let last: Json | undefined;
  let answer = false;
  return (value) => {
    if (value === undefined) return false;
    if (value === last) return answer;
    answer = test(value);
    last = value;
    return answer;
  };
}

function textOf(value: Json): string {
  const text = typeof value === 'string' ? value : jsonText(value);
  countWork(text.length >> 1);
  return text;
}

function saw(value: Json | undefined): string {
  return value === undefined ? 'no value' : showValue(value);
}
