import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';
import { Type } from '../../src/source/schema-type.ts';

test('builds what TypeBox builds, to the order of the keys', () => {
  expect(JSON.stringify(samples(Type))).toBe(JSON.stringify(samples(TypeBox as unknown as typeof Type)));
});

test('the schema that is made optional stays required where it is used itself', () => {
  const word = Type.String();
  expect(Type.Object({ a: Type.Optional(word), b: word })).toMatchObject({ required: ['b'] });
});

function samples(type: typeof Type): unknown {
  const said = { description: 'What it is.' };
  return [
    type.Unknown(),
    type.Unknown(said),
    type.Null(said),
    type.Boolean(said),
    type.Integer({ minimum: 0, ...said }),
    type.Number({ exclusiveMinimum: 0 }),
    type.String({ minLength: 1 }),
    type.Literal('a', said),
    type.Literal(1),
    type.Literal(true),
    type.Enum(['a', 'b'], { type: 'string', ...said }),
    type.Union([type.Null(), type.String(said)], said),
    type.Array(type.String(said), { minItems: 1, ...said }),
    type.Tuple([type.Integer(), type.String()]),
    type.Record(type.String(), type.Number()),
    type.Record(type.String({ pattern: '^a' }), type.Number(), said),
    type.Object({}, { additionalProperties: type.String(), ...said }),
    type.Object({ a: type.Optional(type.String()) }),
    type.Object({ a: type.Optional(type.String()), b: type.Null() }, { additionalProperties: false, ...said }),
  ];
}
