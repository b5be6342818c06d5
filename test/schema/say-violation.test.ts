import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import type { TSchema } from 'typebox';
import { JSON_NOTATION, type Notation } from '../../src/schema/notation.ts';
import { sayViolation } from '../../src/schema/say-violation.ts';
import { schemaViolations } from '../../src/source/fits-schema.ts';
import { TOML_NOTATION, YAML_NOTATION } from '../../src/source/notations.ts';
import type { Json } from '../../src/types/json.ts';

function said(schema: Json, value: Json, notation: Notation = JSON_NOTATION): readonly string[] {
  return schemaViolations(schema as TSchema, value).map((violation) => {
    const { code, message, hint } = sayViolation(violation, notation);
    return `${code} /${violation.path.join('/')} ${message}${hint === undefined ? '' : ` [${hint}]`}`;
  });
}

test.each<[string, Json, Json, readonly string[]]>([
  ['a type', { type: ['object', 'null'] }, 'x', ['wrong_type / must be an object or null, not the string "x".']],
  [
    'only the type, of a value of another',
    { type: 'string', enum: ['a'], minLength: 3 },
    1,
    ['wrong_type / must be a string, not the integer 1. [Allowed values: a.]'],
  ],
  ['a constant', { const: { a: [1] } }, null, ['not_allowed / must be an object, not null.']],
  [
    'a missing key',
    { required: ['a'], properties: { a: { description: 'A letter.' } } },
    {},
    ['missing_key / needs the key "a". [A letter.]'],
  ],
  [
    'a key that another one needs',
    { dependentRequired: { a: ['b', 'c'] } },
    { a: 1, c: 1 },
    ['missing_key / needs the key "b" beside "a".'],
  ],
  [
    'a misspelt key once',
    { required: ['name'], properties: { name: {} }, additionalProperties: false },
    { nmae: 1 },
    ['unknown_key /nmae is not a known key. [Did you mean "name"?]'],
  ],
  [
    'additional values',
    { additionalProperties: { type: 'integer' } },
    { a: 1, b: 'x' },
    ['wrong_type /b must be an integer, not the string "x".'],
  ],
  ['keys that no schema allows', { properties: { a: false } }, { a: 1 }, ['not_allowed /a is not allowed here.']],
  [
    'names of keys',
    { propertyNames: { maxLength: 2 } },
    { abc: 1 },
    ['bad_value /abc has a name that is not allowed. [A name here has 3 characters; the limit is 2.]'],
  ],
  ['numbers of keys', { minProperties: 1, maxProperties: 0 }, { a: 1 }, ['too_long / has 1 keys; the limit is 0.']],
  ['numbers of elements', { minItems: 1 }, [], ['out_of_range / must not be empty.']],
  [
    'elements that must fit',
    { contains: { type: 'string' }, minContains: 2 },
    ['a', 1],
    ['bad_value / must contain at least 2 fitting elements, not 1.'],
  ],
  ['elements beyond a tuple', { items: [{}], additionalItems: false }, [1, 2], ['not_allowed /1 is not allowed here.']],
  [
    'every bound of a number',
    { minimum: 1, exclusiveMaximum: 3 },
    3,
    ['out_of_range / must be at least 1 and below 3, not 3.'],
  ],
  ['multiples', { multipleOf: 2 }, 3, ['bad_value / must be a multiple of 2, not 3.']],
  [
    'alternatives that exclude each other',
    { oneOf: [{ minimum: 1 }, { maximum: 5 }] },
    3,
    ['bad_value / has 2 of the allowed forms, and must have exactly one.'],
  ],
  ['what must not fit', { not: { type: 'string' } }, 'x', ['bad_value / has a form that is not allowed.']],
])('says of %s what is wrong', (_name, schema, value, messages) => {
  expect(said(schema, value)).toEqual(messages);
});

test.each([
  ['TOML', TOML_NOTATION, 'must be a table or absent, not true.', 'must be a string, not inf or nan.'],
  ['YAML', YAML_NOTATION, 'must be a table or absent, not true.', 'must be a string, not nothing.'],
  ['JSON', JSON_NOTATION, 'must be an object or null, not true.', 'must be a string, not null.'],
])('calls values by the words of %s', (_name, notation, table, nothing) => {
  expect(said({ type: ['object', 'null'] }, true, notation)).toEqual([`wrong_type / ${table}`]);
  expect(said({ type: 'string' }, null, notation)).toEqual([`wrong_type / ${nothing}`]);
});

test('files and answers of models are told of the same branch', () => {
  const schema = {
    anyOf: [
      { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'string' } }, required: ['kind', 'x'] },
      { type: 'object', properties: { kind: { const: 'b' }, y: { type: 'string' } }, required: ['kind', 'y'] },
    ],
  };
  expect(said(schema, { kind: 'b', x: 1 })).toEqual(['missing_key / needs the key "y".']);
  expect(compileJsonSchema(schema)({ kind: 'b', x: 1 })).toEqual(['the value needs the key "y"']);
});

test('what a condition asks for is said, not the condition', () => {
  // As JSON text: the linter takes an object with `then` for a promise.
  const schema = JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}') as Json;
  expect(said(schema, { a: 1 })).toEqual(['missing_key / needs the key "b".']);
});

test('a schema that leads back to itself is explained once', () => {
  const schema = { $ref: '#/$defs/a', $defs: { a: { allOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } } };
  expect(said(schema, 1)).toEqual(['wrong_type / must be a string, not the integer 1.']);
});
