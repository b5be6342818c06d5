import { expect, test } from 'vitest';
import { checkJsonSchema } from '../../src/engine/json-schema.ts';
import { compileJsonSchema } from '../../src/engine/typebox-schema.ts';
import type { Json } from '../../src/types/json.ts';

const PERSON: Json = {
  $id: 'https://schemas.example/person.json',
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z]\\w+$' },
    friends: { type: 'array', items: { $ref: '#' } },
    id: { type: 'integer' },
    pattern: { type: 'string' },
    address: { $ref: '#/$defs/street%20name' },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { 'street name': { type: 'string', minLength: 3 } },
};

test('lists what a value violates, and nothing for a valid one', () => {
  const check = compileJsonSchema(PERSON);
  expect(check({ name: 'Ann', friends: [{ name: 'Bob', id: 1 }], pattern: '(', address: 'abc' })).toEqual([]);
  expect(check({ name: 'ann', friends: [{}], id: 1.5, address: 'x', extra: 1 })).toEqual([
    'the value must not have additional properties: extra',
    '/name must match pattern "^[A-Z]\\w+$"',
    '/friends/0 must have required properties name',
    '/id must be integer',
    '/address must not have fewer than 3 characters',
  ]);
});

test.each<[Json, readonly string[]]>([
  ['text', ['#: a schema must be a table, true or false']],
  [
    { properties: { a: { type: 'strng' } } },
    ['#/properties/a/type: unknown type "strng"; known: null, boolean, integer, number, string, array, object'],
  ],
  [{ patternProperties: { x: true } }, ['#: "patternProperties" is not supported']],
  [{ allOf: [{ minLength: '3' }] }, ['#/allOf/0/minLength: must be a whole number of at least 0']],
  [{ $ref: 'https://x/y' }, ['#/$ref: "https://x/y" is outside this schema; only "#…" is allowed']],
  [{ items: { $ref: '#/$defs/x' } }, ['#/items/$ref: "#/$defs/x" names no schema']],
  [{ const: { pattern: '(a+)+$' }, $ref: '#/const' }, ['#/$ref: "#/const" names no schema']],
  [{ items: { $id: 'x' } }, ['#/items: "$id" is allowed only at the top']],
  [{ required: 'a' }, ['#/required: must be a list of texts']],
])('%j is refused at load', (schema, problems) => {
  expect(checkJsonSchema(schema)).toEqual(problems);
});

test('a pattern that cannot run in linear time is refused', () => {
  expect(checkJsonSchema({ pattern: '(?=a)b' })).toEqual([
    '#/pattern: pattern "(?=a)b" cannot be searched in linear time: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ]);
});

test('a pattern made to explode takes linear time', () => {
  const check = compileJsonSchema({ type: 'string', pattern: '^(a+)+$' });
  expect(check(`${'a'.repeat(50_000)}b`)).toEqual(['the value must match pattern "^(a+)+$"']);
});

test('inherited keys do not count as present', () => {
  const check = compileJsonSchema({ type: 'object', required: ['toString', '__proto__'] });
  expect(check({})).toEqual(['the value must have required properties toString, __proto__']);
  expect(check(JSON.parse('{"toString":1,"__proto__":2}') as Json)).toEqual([]);
});

test('a schema without end and a large value end', () => {
  expect(compileJsonSchema({ $ref: '#' })(1)).toEqual(['the schema refers to itself without end']);
  const many = new Array<Json>(100_000).fill(1);
  expect(compileJsonSchema({ uniqueItems: true })(many)).toEqual(['the value does not match the schema']);
});

test('a wrong schema rejects every value with the reason', () => {
  expect(compileJsonSchema({ type: 'strng' })({})).toEqual([
    'the schema itself is wrong: #/type: unknown type "strng"; known: null, boolean, integer, number, string, array, object',
  ]);
});

test('keywords are found by place, not by name', () => {
  expect(checkJsonSchema({ properties: { patternProperties: { type: 'object' }, $ref: {}, pattern: true } })).toEqual(
    [],
  );
  expect(checkJsonSchema({ enum: [{ pattern: '(?=' }], default: { type: 'strng' } })).toEqual([]);
});
