import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { camelCase } from '../../src/source/camel-case.ts';
import { anyKeys, camelKeys } from '../../src/source/camel-keys.ts';
import type { JsonSchema } from '../../src/source/json-schema.ts';
import { renameKeys } from '../../src/source/rename-keys.ts';
import type { Json } from '../../src/types/json.ts';

const strict = { additionalProperties: false };

test('renames declared keys at every depth', () => {
  const schema = Type.Object({
    max_llm_calls: Type.Integer(),
    start_nodes: Type.Array(Type.Object({ entry_node: Type.String() })),
    http_route: Type.Object({ content_type: Type.String() }),
    pair_of: Type.Tuple([Type.Object({ a_b: Type.Integer() }), Type.Object({ c_d: Type.Integer() })]),
    both_of: Type.Intersect([Type.Object({ e_f: Type.Integer() }), Type.Object({ g_h: Type.Integer() })]),
  });
  const value = {
    max_llm_calls: 1,
    start_nodes: [{ entry_node: 'a_b' }],
    http_route: { content_type: 'x' },
    pair_of: [{ a_b: 1 }, { c_d: 2 }],
    both_of: { e_f: 1, g_h: 2 },
  };
  expect(camelKeys(value, schema)).toEqual({
    maxLlmCalls: 1,
    startNodes: [{ entryNode: 'a_b' }],
    httpRoute: { contentType: 'x' },
    pairOf: [{ aB: 1 }, { cD: 2 }],
    bothOf: { eF: 1, gH: 2 },
  });
});

test('leaves the keys of free-form maps alone, but not those of their values', () => {
  const schema = Type.Object({
    env_vars: Type.Record(Type.String(), Type.Object({ read_only: Type.Boolean() })),
    payload: Type.Unknown(),
    more_of: Type.Object({ known_key: Type.Integer() }, { additionalProperties: Type.Unknown() }),
  });
  const value = {
    env_vars: { MY_VAR: { read_only: true }, my_var: { read_only: false } },
    payload: { user_id: { first_name: 'x' } },
    more_of: { known_key: 1, other_key: { inner_key: 1 } },
  };
  expect(camelKeys(value, schema)).toEqual({
    envVars: { MY_VAR: { readOnly: true }, my_var: { readOnly: false } },
    payload: { user_id: { first_name: 'x' } },
    moreOf: { knownKey: 1, other_key: { inner_key: 1 } },
  });
});

test('follows the branch of a union that the value takes', () => {
  const schema = Type.Array(
    Type.Union([
      Type.String(),
      Type.Object({ type: Type.Literal('a'), the_map: Type.Record(Type.String(), Type.String()) }, strict),
      Type.Object({ type: Type.Literal('b'), the_map: Type.Object({ inner_key: Type.String() }, strict) }, strict),
    ]),
  );
  const value = ['a_b', { type: 'a', the_map: { inner_key: 'x' } }, { type: 'b', the_map: { inner_key: 'x' } }];
  expect(camelKeys(value, schema)).toEqual([
    'a_b',
    { type: 'a', theMap: { inner_key: 'x' } },
    { type: 'b', theMap: { innerKey: 'x' } },
  ]);
});

test('follows recursive schemas', () => {
  const schema = Type.Cyclic(
    { Node: Type.Object({ node_id: Type.String(), next_one: Type.Optional(Type.Ref('Node')) }) },
    'Node',
  );
  const value = { node_id: 'a', next_one: { node_id: 'b', next_one: { node_id: 'c' } } };
  expect(camelKeys(value, schema)).toEqual({ nodeId: 'a', nextOne: { nodeId: 'b', nextOne: { nodeId: 'c' } } });
});

test('mutates nothing and changes nothing but keys', () => {
  const schema = Type.Object({ a_b: Type.Integer() });
  const value = Object.freeze({ a_b: 1, rest: [1, null, 'x', true] });
  expect(camelKeys(value, schema)).toEqual({ aB: 1, rest: [1, null, 'x', true] });
});

test('spells keys in camelCase once and for all', () => {
  expect(['max_llm_calls', 'id', 'http2_on', 'a_1', '_private', 'trailing_', 'two__of'].map(camelCase)).toEqual([
    'maxLlmCalls',
    'id',
    'http2On',
    'a1',
    '_private',
    'trailing_',
    'two__of',
  ]);
  fc.assert(fc.property(fc.stringMatching(/^[a-z_]*$/), (key) => camelCase(camelCase(key)) === camelCase(key)));
});

/** Schemas whose parts hold at once, one of several, by pattern or by place, with keys that are renamed in any of them. */
function schemas(depth: number): fc.Arbitrary<JsonSchema> {
  const inner: fc.Arbitrary<JsonSchema> = depth === 0 ? fc.constantFrom({}, { type: 'string' }) : schemas(depth - 1);
  const few = fc.array(inner, { minLength: 1, maxLength: 2 });
  const parts: fc.Arbitrary<JsonSchema> = fc.record(
    {
      type: fc.constantFrom('object', 'array'),
      properties: fc.dictionary(KEYS, inner, { maxKeys: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      patternProperties: fc.dictionary(fc.constantFrom('^a', '_b$'), inner, { maxKeys: 1 }),
      items: fc.oneof(inner, few),
      prefixItems: few,
      allOf: few,
      anyOf: few,
      oneOf: few,
      $ref: fc.constantFrom('#/$defs/a_b', '#/$defs/none'),
      $defs: fc.constant({ a_b: { properties: { a_b: {} } } }),
    },
    { requiredKeys: [] },
  );
  const words = fc.subarray([
    'type',
    'properties',
    'additionalProperties',
    'items',
    'anyOf',
    'patternProperties',
  ] as const);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(parts, words)
        // Most schemas with all of them at once say nothing about any value.
        .map(([all, kept]) => Object.fromEntries(kept.flatMap((word) => (word in all ? [[word, all[word]]] : [])))),
    },
    { weight: 1, arbitrary: parts },
  );
}

const KEYS = fc.constantFrom('a', 'a_b', 'b_b', 'aB');

const { values } = fc.letrec<{ readonly values: Json }>((tie) => ({
  values: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>('a_b', 1, null),
    fc.array(tie('values'), { maxLength: 3 }),
    fc.dictionary(KEYS, tie('values'), { maxKeys: 4 }),
  ),
}));

test('renames what following the whole schema along each value would rename', () => {
  let renamed = 0;
  fc.assert(
    fc.property(schemas(2), values, (schema, value) => {
      const expected = renameKeys(value, [schema], {});
      expect(camelKeys(value, schema)).toEqual(expected);
      if (JSON.stringify(expected) !== JSON.stringify(value)) renamed++;
    }),
    { numRuns: 2000 },
  );
  expect(renamed).toBeGreaterThan(50);
});

test('where nobody has declared any, renames the own keys of a table and none inside', () => {
  expect(camelKeys({ input_from: 'a', body_map: { a_b: 1 }, x: [{ c_d: 1 }] }, anyKeys)).toEqual({
    inputFrom: 'a',
    bodyMap: { a_b: 1 },
    x: [{ c_d: 1 }],
  });
  expect(camelKeys({ a_b: 1, aB: 2 }, anyKeys)).toEqual({ a_b: 1, aB: 2 });
});
