import { PasskError } from '../errors.ts';
import { Format } from 'typebox/format';
import type { Json } from '../types/json.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { linearPattern } from './linear-pattern.ts';
import { MAX_VALUE_BYTES, valueBytes } from './value-bytes.ts';
import { compileRules } from '../schema/compile-rules.ts';
import { inspectJsonSchema } from '../schema/inspect-json-schema.ts';
import type { Rule } from '../schema/rule.ts';
import { CheckGivenUp, SchemaCheck } from '../schema/schema-check.ts';
import type { Dialect } from '../schema/dialect.ts';
import { Explanation } from '../schema/explanation.ts';
import { JSON_NOTATION } from '../schema/notation.ts';
import { sayViolation } from '../schema/say-violation.ts';
import { jsonPointer, type Violation } from '../schema/violation.ts';

/** Steps of one check: each schema that is applied to a value, and each thing that a keyword looks at. */
export const MAX_CHECK_STEPS = 10_000_000;

/** So many violations are listed. */
const MAX_VIOLATIONS = 10;

/** Schemas of users: whatever they say, a check ends soon. */
const DIALECT: Dialect = {
  takesBigints: true,
  pattern: linearPattern,
  format: (name) => (Format.Has(name) ? (text) => Format.Test(name, text) : undefined),
};

/**
 * The validator. Not a library's: none of them bounds a check, and a model that answers with nested values can make a
 * check against a schema that refers to itself take time exponential in their depth.
 */
export const compileJsonSchema: SchemaCompiler = (schema) => {
  const { schemas, problems } = inspectJsonSchema(schema, DIALECT);
  if (problems.length > 0) return () => problems.map((problem) => `the schema itself is wrong: ${problem}`);
  const root = compileRules(schema, schemas, DIALECT);
  return (value) =>
    valueBytes(value) > MAX_VALUE_BYTES ? ['the value is too large to be checked'] : violations(root, value);
};

function violations(root: Rule, value: Json): readonly string[] {
  const check = new SchemaCheck(MAX_CHECK_STEPS);
  try {
    if (check.fits(root, value)) return [];
  } catch (error) {
    // A pattern that is not searched for counts as a check that is given up.
    if (error instanceof CheckGivenUp || error instanceof PasskError) return [error.message];
    throw error;
  }
  return listed(root, value);
}

/** What the value violates. To list it can take longer than to find it: then it is told in one line. */
function listed(root: Rule, value: Json): readonly string[] {
  try {
    const found = new Explanation(new SchemaCheck(MAX_CHECK_STEPS), MAX_VIOLATIONS + 1).violations(root, value);
    const texts = found.slice(0, MAX_VIOLATIONS).map(line);
    return found.length > MAX_VIOLATIONS ? [...texts, 'and more'] : texts;
  } catch (error) {
    if (error instanceof CheckGivenUp) return ['the value does not match the schema'];
    throw error;
  }
}

/** `/a/0 cannot be "x" (allowed values: y, z)`. What a schema says of a value stands in the schema. */
function line({ description: _, ...violation }: Violation): string {
  const { message, hint } = sayViolation(violation, JSON_NOTATION);
  const place = violation.path.length === 0 ? 'the value' : jsonPointer(violation.path);
  return `${place} ${clause(message)}${hint === undefined ? '' : ` (${clause(hint)})`}`;
}

function clause(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
