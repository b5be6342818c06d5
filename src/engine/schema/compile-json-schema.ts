import { PasskError } from '../../errors.ts';
import type { Json } from '../../types/json.ts';
import type { SchemaCompiler } from '../json-schema.ts';
import { MAX_VALUE_BYTES, valueBytes } from '../value-bytes.ts';
import { compileRules } from './compile-rules.ts';
import { inspectJsonSchema } from './inspect-json-schema.ts';
import type { Rule } from './rule.ts';
import { CheckGivenUp, SchemaCheck } from './schema-check.ts';
import { ViolationList } from './violation-list.ts';

/**
 * The validator. Not a library's: none of them bounds a check, and a model that answers with nested values can make a
 * check against a schema that refers to itself take time exponential in their depth.
 */
export const compileJsonSchema: SchemaCompiler = (schema) => {
  const { schemas, problems } = inspectJsonSchema(schema);
  if (problems.length > 0) return () => problems.map((problem) => `the schema itself is wrong: ${problem}`);
  const root = compileRules(schema, schemas);
  return (value) =>
    valueBytes(value) > MAX_VALUE_BYTES ? ['the value is too large to be checked'] : violations(root, value);
};

function violations(root: Rule, value: Json): readonly string[] {
  const check = new SchemaCheck();
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
  const list = new ViolationList(new SchemaCheck());
  try {
    list.explain(root, value, '');
    return list.shown();
  } catch (error) {
    if (error instanceof CheckGivenUp) return ['the value does not match the schema'];
    throw error;
  }
}
