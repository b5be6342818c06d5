import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatorsWith } from '../../src/generators/builtin.ts';
import type { GeneratorType } from '../../src/plugin/generator-type.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { generatorCases } from './generator-cases.ts';

/** Parameters of each generator that passk brings. */
const PARAMS: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  repair_shop: fc.record(
    {
      changes: fc.nat({ max: 5 }),
      distractors: fc.nat({ max: 5 }),
      irrelevant: fc.nat({ max: 20 }),
      notes: fc.nat({ max: 100 }),
      scripted: fc.subarray(['sound', 'careless', 'gullible']),
    },
    { requiredKeys: [] },
  ),
};

for (const generator of generatorsWith().values()) generatorCases(generator, PARAMS[generator.type] ?? fc.constant({}));

test('every generator of passk is tried with parameters of its own', () => {
  expect(Object.keys(PARAMS)).toEqual([...generatorsWith().keys()]);
});

test('a plug-in cannot take the word of a generator that passk brings', () => {
  const [repairShop] = generatorsWith().values();
  expect(() => generatorsWith(new Map([['repair_shop', repairShop as GeneratorType]]))).toThrow(
    'There is already a generator "repair_shop".',
  );
});
