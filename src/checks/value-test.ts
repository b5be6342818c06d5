import { compileValueTest, type SchemaCompiler } from '../matching/value-test.ts';
import type { Json } from '../types/json.ts';
import type { TextMatch } from '../types/mock.ts';
import type { ValueTest } from '../types/value-test.ts';
import { showValue } from './show-value.ts';
import { compileTextTest } from './text-test.ts';

/** A test of one value, with what it asks for and what it saw in words; `undefined` is a value that is not there. */
export interface ShownTest {
  readonly expected: Json;
  readonly wanted: string;
  readonly holds: (value: Json | undefined) => boolean;
  readonly saw: (value: Json | undefined) => string;
}

/** Compiles the test of an expectation about a value. */
export function showTest(test: ValueTest, owner: string, compileSchema: SchemaCompiler): ShownTest {
  const violations = test.kind === 'schema' ? compileSchema(test.schema) : null;
  return {
    ...wordsOf(test, owner),
    holds: remembering(compileValueTest(test, owner, () => violations ?? (() => []))),
    saw: violations === null ? saw : (value) => sawViolation(value, violations),
  };
}

function wordsOf(test: ValueTest, owner: string): Pick<ShownTest, 'expected' | 'wanted'> {
  switch (test.kind) {
    case 'exists':
      return { expected: test.exists, wanted: test.exists ? 'a value' : 'no value' };
    case 'equals':
      return { expected: test.value, wanted: showValue(test.value) };
    case 'not_equals':
      return { expected: test.value, wanted: `anything but ${showValue(test.value)}` };
    case 'above':
    case 'below':
      return { expected: test.value, wanted: `a value ${test.kind} ${showValue(test.value)}` };
    case 'in':
      return { expected: test.values, wanted: `one of ${showValue(test.values)}` };
    case 'contains':
      return wordsOfText({ contains: test.text }, owner);
    case 'matches':
      return wordsOfText({ matches: test.pattern }, owner);
    case 'schema':
      return { expected: test.schema, wanted: 'a value that fits the schema' };
  }
}

function wordsOfText(match: TextMatch, owner: string): Pick<ShownTest, 'expected' | 'wanted'> {
  const { expected, wanted } = compileTextTest(match, owner);
  return { expected, wanted };
}

/**
 * Judges each value once for as long as it stays the same one: pure programs give the same object trial after trial,
 * and values are never mutated.
 */
function remembering(test: ShownTest['holds']): ShownTest['holds'] {
  let last: Json | undefined;
  let answer = test(undefined);
  return (value) => {
    if (value === last) return answer;
    answer = test(value);
    last = value;
    return answer;
  };
}

function sawViolation(value: Json | undefined, violations: (value: Json) => readonly string[]): string {
  const first = value === undefined ? undefined : violations(value)[0];
  return first === undefined ? saw(value) : `${saw(value)} (${first})`;
}

function saw(value: Json | undefined): string {
  return value === undefined ? 'no value' : showValue(value);
}
