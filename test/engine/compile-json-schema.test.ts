import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { checkJsonSchema } from '../../src/engine/json-schema.ts';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
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
    '/extra is not a known key (known keys: name, friends, id, pattern, address)',
    '/name cannot be "ann" (it has to match ^[A-Z]\\w+$)',
    '/friends/0 needs the key "name"',
    '/id must be an integer, not the number 1.5',
    '/address must have at least 3 characters, not 1',
  ]);
});

test.each<[Json, readonly string[]]>([
  ['text', ['#: a schema must be a table, true or false']],
  [
    { properties: { a: { type: 'strng' } } },
    ['#/properties/a/type: unknown type "strng"; known: null, boolean, integer, number, string, array, object'],
  ],
  [
    { patternProperties: { '(?=a)': true } },
    [
      '#/patternProperties: pattern "(?=a)" cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  ],
  [{ $dynamicRef: '#a' }, ['#: "$dynamicRef" is not supported']],
  [{ allOf: [{ minLength: '3' }] }, ['#/allOf/0/minLength: must be a whole number of at least 0']],
  [
    { $ref: 'https://x/y' },
    ['#/$ref: "https://x/y" is outside this schema; only "#…" and names of schemas in it are allowed'],
  ],
  [{ items: { $ref: '#/$defs/x' } }, ['#/items/$ref: "#/$defs/x" names no schema']],
  [{ const: { pattern: '(a+)+$' }, $ref: '#/const' }, ['#/$ref: "#/const" names no schema']],
  [{ items: { $id: 'https://x/y' } }, ['#/items: "$id" is allowed only at the top, or as a name']],
  [
    { $defs: { n: { $id: 'n', items: { $ref: '#/$defs/n' } } } },
    ['#/$defs/n/items/$ref: must be a name inside a schema that has one'],
  ],
  [{ required: 'a' }, ['#/required: must be a list of texts']],
])('%j is refused at load', (schema, problems) => {
  expect(checkJsonSchema(schema)).toEqual(problems);
});

test('a pattern that cannot run in linear time is refused', () => {
  expect(checkJsonSchema({ pattern: '(?=a)b' })).toEqual([
    '#/pattern: pattern "(?=a)b" cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ]);
});

test('a pattern made to explode takes linear time', () => {
  const check = compileJsonSchema({ type: 'string', pattern: '^(a+)+$' });
  expect(check(`${'a'.repeat(50_000)}b`)).toEqual([
    `the value cannot be "${'a'.repeat(40)}…" (it has to match ^(a+)+$)`,
  ]);
});

test('inherited keys do not count as present', () => {
  const check = compileJsonSchema({ type: 'object', required: ['toString', '__proto__'] });
  expect(check({})).toEqual(['the value needs the key "toString"', 'the value needs the key "__proto__"']);
  expect(check(JSON.parse('{"toString":1,"__proto__":2}') as Json)).toEqual([]);
});

test('a schema without end and a large value end', () => {
  expect(compileJsonSchema({ $ref: '#' })(1)).toEqual(['the schema refers to itself without end']);
  const many = new Array<Json>(100_000).fill(1);
  expect(compileJsonSchema({ uniqueItems: true })(many)).toEqual([
    ...Array.from({ length: 10 }, (_, i) => `/${i + 1} repeats 1`),
    'and more',
  ]);
});

test('a wrong schema rejects every value with the reason', () => {
  expect(compileJsonSchema({ type: 'strng' })({})).toEqual([
    'the schema itself is wrong: #/type: unknown type "strng"; known: null, boolean, integer, number, string, array, object',
  ]);
});

test('properties are checked by the patterns that their names have, and are then no additional ones', () => {
  const check = compileJsonSchema({ patternProperties: { '^n': { type: 'integer' } }, additionalProperties: false });
  expect(check({ n1: 1, n2: 2 })).toEqual([]);
  expect(check({ n1: 'x', m: 1 })).toEqual([
    '/m is not a known key (keys here match ^n)',
    '/n1 must be an integer, not the string "x"',
  ]);
});

test('a schema is referred to by the name that it has', () => {
  const check = compileJsonSchema({
    $ref: 'n',
    $defs: { n: { $id: 'n', properties: { next: { $ref: 'n' } }, required: ['v'] } },
  });
  expect(check({ v: 1, next: { v: 2 } })).toEqual([]);
  expect(check({ v: 1, next: {} })).toEqual(['/next needs the key "v"']);
});

test('keywords are found by place, not by name', () => {
  expect(checkJsonSchema({ properties: { patternProperties: { type: 'object' }, $ref: {}, pattern: true } })).toEqual(
    [],
  );
  expect(checkJsonSchema({ enum: [{ pattern: '(?=' }], default: { type: 'strng' } })).toEqual([]);
});

const EXPRESSION: Json = {
  $ref: '#/$defs/e',
  $defs: {
    e: {
      anyOf: [
        { type: 'object', properties: { args: { type: 'array', items: { $ref: '#/$defs/e' } }, op: { const: 'and' } } },
        { type: 'object', properties: { args: { type: 'array', items: { $ref: '#/$defs/e' } }, op: { const: 'or' } } },
      ],
    },
  },
};

/** An expression of this depth whose innermost operator is `op`. */
function anExpression(depth: number, op: string): Json {
  let value: Json = { args: [], op };
  for (let i = 1; i < depth; i++) value = { args: [value], op: i % 2 === 0 ? 'and' : 'or' };
  return value;
}

describe('alternatives that refer to themselves', () => {
  const check = compileJsonSchema(EXPRESSION);

  test.each([1, 2, 24, 60])('are checked in time linear in the value, at depth %i', (depth) => {
    expect(check(anExpression(depth, 'or'))).toEqual([]);
    const place = `${'/args/0'.repeat(depth - 1)}/op`;
    expect(check(anExpression(depth, 'xor'))).toEqual([`${place} cannot be "xor" (did you mean "or"?)`]);
  });

  test('hold brackets in brackets, too', () => {
    const brackets = compileJsonSchema({
      anyOf: [{ type: 'array', items: { $ref: '#' } }, { type: 'array', items: { $ref: '#' } }, { type: 'string' }],
    });
    let value: Json = 1;
    for (let i = 0; i < 90; i++) value = [value];
    expect(brackets(value)).toEqual([`${'/0'.repeat(90)} must be an array or a string, not the integer 1`]);
    expect(brackets(JSON.parse(`${'['.repeat(90)}"x"${']'.repeat(90)}`) as Json)).toEqual([]);
  });
});

test('references that share what they lead to are checked once each', () => {
  const $defs: Record<string, Json> = { d60: { type: 'string' } };
  for (let i = 0; i < 60; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  const check = compileJsonSchema({ $ref: '#/$defs/d0', $defs });
  expect(check('x')).toEqual([]);
  expect(check(1)).toEqual(['the value must be a string, not the integer 1']);
});

test('a check that takes too many steps is a violation, the same each time', () => {
  const options = Array.from({ length: 2000 }, (_, i) => ({ const: `option ${i}` }));
  const check = compileJsonSchema({ items: { anyOf: options } });
  const value = new Array<Json>(20_000).fill('option 1999');
  const given = ['the check takes more than 10000000 steps'];
  expect([check(value), check(value)]).toEqual([given, given]);
});

test('a value nested deeper than any JSON text is a violation, not a crash', () => {
  let value: Json = 1;
  for (let i = 0; i < 50_000; i++) value = [value];
  expect(compileJsonSchema({ items: { $ref: '#' } })(value)).toEqual(['the value is nested too deeply to be checked']);
});

/** Schemas without unevaluated keywords, whose rules typebox reads otherwise where they stand beside others. */
const schemas = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record({ type: fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object') }),
    fc.record({ type: fc.constant(['string', 'integer']) }),
    fc.record({ const: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json> }),
    fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minimum: fc.integer({ min: -2, max: 2 }), exclusiveMaximum: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5, 0.1) }),
    fc.record({ minLength: fc.nat(3), maxLength: fc.nat(5) }),
    fc.record({ pattern: fc.constantFrom('^a', 'b$', '[0-9]') }),
    fc.record({ format: fc.constantFrom('date', 'ipv4', 'uuid', 'no such format') }),
    fc.record({ minItems: fc.nat(2), maxItems: fc.nat(4), uniqueItems: fc.boolean() }),
    fc.record({ minProperties: fc.nat(2), maxProperties: fc.nat(3) }),
    fc.record({ required: fc.uniqueArray(fc.constantFrom('a', 'b', 'toString'), { maxLength: 2 }) }),
    fc.record({ items: tie('schema'), prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ items: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), additionalItems: tie('schema') }),
    fc.record(
      { contains: tie('schema'), minContains: fc.nat(2), maxContains: fc.nat(3) },
      { requiredKeys: ['contains'] },
    ),
    fc.record(
      {
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 2 }),
        additionalProperties: tie('schema'),
        propertyNames: tie('schema'),
      },
      { requiredKeys: ['properties'] },
    ),
    fc.record({ dependentRequired: fc.constant({ a: ['b'] }), dependentSchemas: fc.record({ b: tie('schema') }) }),
    fc.record({ dependencies: fc.record({ a: fc.constant(['b']), b: tie('schema') }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
    fc.dictionary(fc.constantFrom('if', 'then', 'else'), tie('schema')),
    fc.constant({ $ref: '#/$defs/inner' }),
  ) as fc.Arbitrary<Json>,
})).schema;

const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 0.5, 3.3, '', 'a', 'ab', '12', '😀', '2024-02-30', '1.2.3.4'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), tie('value'), { maxKeys: 3 }),
  ) as fc.Arbitrary<Json>,
})).value;

test('accepts what typebox accepts, whatever the schema', () => {
  fc.assert(
    fc.property(schemas, schemas, values, (schema, inner, value) => {
      // What the inner one refers to is itself.
      const whole: Json = { allOf: [schema], $defs: { inner } };
      const ours = compileJsonSchema(whole)(value);
      const theirs = checkedByTypebox(whole, value);
      if (theirs === null || ours.includes('the schema refers to itself without end')) return;
      expect(ours.length === 0, JSON.stringify({ whole, value, ours })).toBe(theirs);
    }),
    { numRuns: 3000 },
  );
});

/** Null: it ran out of stack, as for a schema that refers to itself. */
function checkedByTypebox(schema: Json, value: Json): boolean | null {
  try {
    return Check(schema as Parameters<typeof Check>[0], bare(value));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A copy whose objects inherit nothing: typebox asks with `in`. */
function bare(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => bare(item as Json));
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) copy[key] = bare(inner as Json);
  return copy;
}

test('what was evaluated elsewhere is not unevaluated', () => {
  const condition = [
    ['if', { required: ['c'], properties: { c: true } }],
    ['then', { $ref: '#/$defs/d' }],
  ];
  const check = compileJsonSchema({
    allOf: [{ properties: { a: true } }],
    anyOf: [{ properties: { b: { type: 'string' } }, required: ['b'] }, true],
    ...Object.fromEntries(condition),
    unevaluatedProperties: false,
    $defs: { d: { properties: { d: true } } },
  });
  expect(check({ a: 1, b: 'x', c: 1, d: 1 })).toEqual([]);
  expect(check({ a: 1, b: 2 })).toEqual(['/b is not allowed here']);
  expect(check({ d: 1 })).toEqual(['/d is not allowed here']);
  const items = compileJsonSchema({
    prefixItems: [true],
    contains: { type: 'string' },
    unevaluatedItems: { type: 'null' },
  });
  expect(items([1, 'x', null])).toEqual([]);
  expect(items([1, 'x', 2])).toEqual(['/2 must be null, not the integer 2']);
});
