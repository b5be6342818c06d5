import type { Json } from '../../types/json.ts';
import type { SchemaCompiler } from '../../matching/value-test.ts';
import type { Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import { textRule } from './text-rule.ts';
import { exactJsonIn } from '../../values/json-in.ts';

/** `valid_json`: the whole answer is one JSON value, as RFC 8259 has it: no NaN, no Infinity, no byte order mark. */
export const validJson: InvariantType<RuleOf<'valid_json'>> = {
  kind: 'invariant',
  type: 'valid_json',
  summary: 'The whole answer is one JSON value.',
  create: () => VALID_JSON,
};

const VALID_JSON = textRule({
  expected: true,
  wanted: 'valid JSON',
  wantedNot: 'anything but valid JSON',
  test: (text) => exactJsonIn(text) !== undefined,
});

/** `json_schema`: the whole answer is one JSON value that fits the schema. */
export const jsonSchema: InvariantType<RuleOf<'json_schema'>> = {
  kind: 'invariant',
  type: 'json_schema',
  summary: 'The whole answer is one JSON value that fits a JSON Schema.',
  checksSchemas: true,
  create: ({ schema }, { compileSchema }) => jsonSchemaRule(schema, compileSchema),
};

function jsonSchemaRule(schema: Json, compileSchema: SchemaCompiler): Rule {
  const violations = compileSchema(schema);
  const flaw = (text: string): string | null => {
    const value = exactJsonIn(text);
    return value === undefined ? 'no JSON' : (violations(value)[0] ?? null);
  };
  return textRule({
    expected: schema,
    wanted: 'JSON that fits the schema',
    wantedNot: 'anything but JSON that fits the schema',
    test: (text) => flaw(text) === null,
    flaw,
  });
}
