import type { ValidatorOptions } from '../../plugin/validator-type.ts';
import type { Compat } from '../../types/model-test.ts';
import type { SchemaCompiler } from '../../matching/value-test.ts';

/** What validators are called with. Schemas are told apart by identity, and none is kept longer than its test. */
export function validatorOptions(compat: Compat, compileSchema: SchemaCompiler): ValidatorOptions {
  const compiled = new WeakMap<object, ReturnType<SchemaCompiler>>();
  return {
    compat,
    violations: (schema, value) => {
      if (typeof schema !== 'object' || schema === null) return compileSchema(schema)(value);
      const validate = compiled.get(schema) ?? compileSchema(schema);
      compiled.set(schema, validate);
      return validate(value);
    },
  };
}
