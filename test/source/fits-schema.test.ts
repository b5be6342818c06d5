import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { reportBaselineSchema, baselineSchema, referenceSchema } from '../../src/baseline/baseline.schema.ts';
import { historyFileSchema } from '../../src/baseline/history-run.schema.ts';
import { pricesSchema } from '../../src/baseline/price-table.schema.ts';
import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import { builtinFaultSchemas } from '../../src/faults/builtin-schemas.ts';
import * as queueSchemas from '../../src/queue/queue.schema.ts';
import * as runFileSchemas from '../../src/records/run-file.schema.ts';
import { scenarioSchema } from '../../src/scenario/scenario-schema.ts';
import { fitsSchema, loadFormats, schemaProblems } from '../../src/source/fits-schema.ts';
import { asJsonSchema, type JsonSchema } from '../../src/source/json-schema.ts';
import { configSchema } from '../../src/settings/config-schema.ts';
import type { Json } from '../../src/types/json.ts';
import { nodeDocumentSchema, untypedNodeSchema } from '../../src/workflow/node-document-schema.ts';
import { workflowSchema } from '../../src/workflow/workflow-schema.ts';

/** Every schema of passk that files, journals and messages are checked by, but for that of reports, which names its parts. */
const OWN: Readonly<Record<string, TSchema>> = {
  scenarioSchema,
  workflowSchema,
  untypedNodeSchema,
  configSchema: configSchema(false),
  configFileSchema: configSchema(true),
  baselineSchema,
  reportBaselineSchema,
  referenceSchema,
  historyFileSchema,
  pricesSchema,
  ...queueSchemas,
  ...runFileSchemas,
  ...Object.fromEntries([...builtinNodeSchemas].map(([type, node]) => [`node ${type}`, nodeDocumentSchema(node)])),
  ...Object.fromEntries(
    [...builtinFaultSchemas].flatMap(([type, schema]) => (schema ? [[`fault ${type}`, schema]] : [])),
  ),
};

test.each(Object.entries(OWN))('%s: takes what TypeBox takes', (_name, schema) => {
  const validator = Compile(schema);
  const values = likely(asJsonSchema(schema));
  fc.assert(
    fc.property(values, (value) => {
      expect(fitsSchema(schema, value)).toBe(validator.Check(value));
    }),
    { numRuns: 40 },
  );
  // The law is not empty.
  const known = fc.sample(values, { numRuns: 400, seed: 1 });
  expect(known.some((value) => validator.Check(value))).toBe(true);
});

/** Schemas of the common keywords, with such schemas inside. */
function randomSchema(depth: number): fc.Arbitrary<JsonSchema> {
  const inner: fc.Arbitrary<JsonSchema> =
    depth === 0 ? fc.constantFrom({}, { type: 'string' }) : randomSchema(depth - 1);
  const key = fc.constantFrom('a', 'b', 'ab');
  const bound = fc.integer({ min: -2, max: 3 });
  const keywords = fc.record({
    type: fc.constantFrom('null', 'boolean', 'string', 'integer', 'number', 'object', 'array', ['string', 'array']),
    const: fc.constantFrom<Json>('a', 1, true),
    enum: fc.array(fc.constantFrom<Json>('a', 1, false), { minLength: 1 }),
    anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    properties: fc.dictionary(key, inner, { maxKeys: 2 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 1 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    required: fc.uniqueArray(key, { maxLength: 2 }),
    items: inner,
    minItems: fc.nat(2),
    maxItems: fc.nat(2),
    minLength: fc.nat(1),
    pattern: fc.constantFrom('^a', 'b$'),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
  });
  const words = ['type', 'const', 'enum', 'anyOf', 'items', 'minimum', 'pattern', 'required'];
  return fc.tuple(keywords, fc.subarray(words, { maxLength: 3 })).map(([all, kept]) => only(all, kept));
}

/** Most random schemas fit nothing: a few keywords each keep both answers frequent. */
function only(all: JsonSchema, kept: readonly string[]): JsonSchema {
  const related: Readonly<Record<string, readonly string[]>> = {
    items: ['items', 'minItems', 'maxItems'],
    minimum: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    pattern: ['pattern', 'minLength'],
    required: ['required', 'properties', 'patternProperties', 'additionalProperties'],
  };
  const wanted = kept.flatMap((word) => related[word] ?? [word]);
  return Object.fromEntries(Object.entries(all).filter(([word]) => wanted.includes(word)));
}

test('takes what TypeBox takes, for random schemas', () => {
  const cases = randomSchema(2).chain((schema) => fc.tuple(fc.constant(schema), likely(schema)));
  fc.assert(
    fc.property(cases, ([schema, value]) => {
      expect(fitsSchema(schema, value)).toBe(Compile(schema as TSchema).Check(value));
    }),
    { numRuns: 500 },
  );
});

test.each([
  { maxLength: 3 },
  { $ref: '#/$defs/a', $defs: { a: {} } },
  { not: {} },
  { const: { a: 1 } },
  { format: 'email' },
  { properties: { a: { uniqueItems: true } } },
  { items: [{ type: 'string' }, { minItems: 1, items: { maxLength: 2 } }] },
  { anyOf: [{ type: 'string' }, { additionalProperties: { uniqueItems: true } }] },
  { patternProperties: { '^a': { items: { format: 'email' } } } },
  { propertyNames: { pattern: '^b' } },
  { $ref: 'n', $defs: { n: { $id: 'n', minProperties: 2 } } },
])('%j takes what TypeBox takes', async (schema) => {
  await loadFormats();
  for (const value of [{ a: [1, 2] }, { a: [1, 1] }, 'abcd', 'a@b.example', [1, ['abc']], 7]) {
    expect([value, fitsSchema(schema, value)]).toEqual([value, Compile(schema as TSchema).Check(value)]);
  }
});

test('a whole number that a double would round is no count', () => {
  expect([fitsSchema({ type: 'integer' }, 2n ** 60n), fitsSchema({ type: 'number' }, Number.NaN)]).toEqual([
    false,
    false,
  ]);
});

test('says what of a schema cannot be enforced', () => {
  expect(schemaProblems({ properties: { a: { type: 'text' } }, patternProperties: { '(': {} } })).toEqual([
    '#/properties/a/type: unknown type "text"; known: null, boolean, integer, number, string, array, object',
    '#/patternProperties: pattern "(" cannot be used: Invalid regular expression: /(/u: Unterminated group',
  ]);
});

/** Values that a schema was made for, with something else now and then. */
function likely(schema: JsonSchema | boolean): fc.Arbitrary<Json> {
  const other = fc.constantFrom<Json>(null, true, false, '', 'a', 'ab', 'x', 0, 1, -3, 0.5, [], ['a'], {}, { a: 1 });
  if (typeof schema === 'boolean') return other;
  const right = meant(schema);
  return fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: other });
}

/** A few of them; where none lies between the bounds, the lower one. */
function integersFrom(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min, max: Math.max(min, Math.min(max, min + 9)) });
}

function meant(schema: JsonSchema): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(likely));
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integersFrom(schema.minimum ?? -2, schema.maximum ?? 9);
    case 'number':
      return fc.constantFrom(schema.minimum ?? 0, 0.5, 1, schema.maximum ?? 2);
    case 'string':
      return schema.pattern === undefined
        ? fc.constantFrom(...(schema.minLength === undefined ? [''] : []), 'a', 'b', 'tab\n')
        : fc.stringMatching(new RegExp(schema.pattern, 'u'));
    case 'array':
      return Array.isArray(schema.items)
        ? fc.tuple(...schema.items.map((item: JsonSchema) => likely(item)))
        : fc.array(likely((schema.items as JsonSchema | undefined) ?? {}), {
            minLength: schema.minItems ?? 0,
            maxLength: Math.max(3, schema.minItems ?? 0),
          });
    case 'object':
      return meantTable(schema);
    default:
      return fc.constantFrom<Json>(
        'a',
        'ab',
        '',
        0,
        1,
        2,
        {},
        { a: 1 },
        { b: 'a', ab: null },
        [],
        ['a', 1],
        null,
        true,
      );
  }
}

function meantTable(schema: JsonSchema): fc.Arbitrary<Json> {
  const declared = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, likely(inner)]),
  );
  const [values] = Object.values(schema.patternProperties ?? {});
  const rest = values ?? schema.additionalProperties;
  const more =
    rest === undefined || rest === false
      ? fc.constant({})
      : fc.dictionary(fc.constantFrom('k', 'ab', 'a\nb'), likely(rest));
  const requiredKeys = (schema.required ?? []).filter((key) => Object.hasOwn(declared, key));
  return fc.tuple(more, fc.record(declared, { requiredKeys })).map(([extra, own]): Json => ({ ...extra, ...own }));
}
