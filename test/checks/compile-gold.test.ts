import { expect, test } from 'vitest';
import { compileGold } from '../../src/checks/compile-gold.ts';
import { matchesTrajectory } from '../../src/checks/match-trajectory.ts';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import type { GoldCallTerms } from '../../src/types/recordings/gold-expectation.ts';
import type { Json } from '../../src/types/json.ts';
import type { ValueTest } from '../../src/types/value-test.ts';

const GOLD = [{ name: 'book', args: { day: 'Friday', seats: 2, note: { text: 'By the window.', tags: ['a'] } } }];

function fits(args: Json, terms: Partial<GoldCallTerms>): boolean {
  const all = { match: 'strict', args: 'exact', tools: {}, calls: [{ where: [], ...terms }] } as const;
  return matchesTrajectory([{ name: 'book', args }], compileGold(all, compileJsonSchema)(GOLD), all);
}

const at = (place: string, one: ValueTest) => ({ where: [{ at: place, test: one }] });
const [args] = GOLD.map((call) => call.args);
const booked = (changed: Record<string, Json>): Json => ({ ...args, ...changed });

test.each<[string, Partial<GoldCallTerms>, Json, boolean]>([
  ['a place passes its test', at('seats', { kind: 'above', value: 1 }), booked({ seats: 7 }), true],
  ['a place fails its test', at('seats', { kind: 'in', values: [2, 3] }), booked({ seats: 7 }), false],
  ['another place differs', at('seats', { kind: 'above', value: 1 }), booked({ seats: 7, day: 'Monday' }), false],
  ['a place is not there', at('seats', { kind: 'matches', pattern: '.' }), { day: 'Friday' }, false],
  [
    'a deep place passes, and its neighbours are the same',
    at('note.text', { kind: 'matches', pattern: '(?i)window' }),
    booked({ note: { text: 'A WINDOW, please', tags: ['a'] } }),
    true,
  ],
  [
    'a deep place passes, and a neighbour differs',
    at('note.text', { kind: 'matches', pattern: '(?i)window' }),
    booked({ note: { text: 'A window', tags: [] } }),
    false,
  ],
  ['what leads to a place is no table', at('note.text', { kind: 'exists', exists: true }), booked({ note: 5 }), false],
  ['all of them fit a schema', at('', { kind: 'schema', schema: { required: ['day'] } }), { day: 'x' }, true],
  ['others are not compared', { args: 'ignore', ...at('seats', { kind: 'equals', value: 2 }) }, { seats: 2 }, true],
  ['there may be others', { args: 'superset' }, booked({ more: 1 }), true],
  ['some fields alone count', { args: ['day'] }, { day: 'Friday' }, true],
])('a gold call says of its own arguments when %s', (_, terms, given, isSame) => {
  expect(fits(given, terms)).toBe(isSame);
});

test('a call that says nothing is compared as all are', () => {
  expect(fits(booked({}), {})).toBe(true);
  expect(fits(booked({ seats: 3 }), {})).toBe(false);
});
