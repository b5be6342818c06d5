import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Inputs of the test data of the RFC's authors, with the beginnings of the hashes of their outputs. */
const VECTORS: readonly (readonly [name: string, input: string, hash: string])[] = [
  ['arrays', '[56, { "d": true, "10": null, "1": [] }]', '099601b1'],
  [
    'french',
    '{"peach": "This sorting order", "p\\u00e9ch\\u00e9": "is wrong according to French", "p\\u00eache": "but canonicalization MUST", "sin": "ignore locale"}',
    'd99d0ebd',
  ],
  [
    'structures',
    '{"1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0}, "10": { }, "": "empty", "a": { }, "111": [ {"e": "yes","E": "no" } ], "A": { }}',
    '605f6500',
  ],
  ['unicode', '{"Unnormalized Unicode":"A\\u030a"}', '0d99aad9'],
  [
    'values',
    '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
    '2d5e01a3',
  ],
  [
    'weird',
    '{"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\u000a": "Newline", "1": "One", "\\u0080": "Control\\u007f", "\\ud83d\\ude02": "Smiley", "\\u00f6": "Latin Small Letter O With Diaeresis", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge"}',
    '6af595a9',
  ],
];

describe('canonical JSON', () => {
  test.each(VECTORS)('writes the published vector "%s" as published', (_, input, hash) => {
    expect(sha256(canonicalJson(JSON.parse(input) as Json)).slice(0, 8)).toBe(hash);
  });

  test('is the same whatever the order of keys, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(canonicalJson(reversed(value as Json))).toBe(text);
      }),
    );
  });

  test('refuses what has no canonical form', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, 2n ** 60n]) {
      expect(() => canonicalJson(value as Json)).toThrow(/no canonical JSON/);
    }
    expect(canonicalJson(7n as unknown as Json)).toBe('7');
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item as Json)] as const);
  return Object.fromEntries(entries.reverse());
}
