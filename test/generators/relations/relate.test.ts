import { expect, test } from 'vitest';
import { relate } from '../../../src/generators/relations/relate.ts';
import { seededRandom } from '../../../src/generators/seeded-random.ts';
import type { GeneratedScenario } from '../../../src/plugin/generator-type.ts';
import type { Relation } from '../../../src/types/generated/generated-set.ts';

function changed(relation: Relation, scenario: GeneratedScenario, seed = 3) {
  return relate(relation, scenario, seededRandom(seed, 'test'));
}

test('ids are renamed wherever they stand as words, and each to one name', () => {
  const document = {
    state: { 'R-1': { next: 'R-12', note: 'not XR-1, R-1x or R-1-a' } },
    says: ['R-1, R-12 and (R-1)', 'order R\\-1'],
  };
  const made = changed('renamed_ids', { document, ids: ['R-1', 'R-12'] });
  if (made?.ok !== true) throw new Error('nothing was renamed');
  const [first = '', second = ''] =
    /^(R-\d), (R-\d\d)/.exec(String((made.document['says'] as string[])[0]))?.slice(1) ?? [];
  expect(first).not.toBe('R-1');
  expect(second).not.toBe('R-12');
  expect(made.document).toEqual({
    state: { [first]: { next: second, note: 'not XR-1, R-1x or R-1-a' } },
    says: [`${first}, ${second} and (${first})`, 'order R\\-1'],
  });
});

test('an id without another name of its shape is told', () => {
  expect(changed('renamed_ids', { document: { a: '---' }, ids: ['---'] })).toEqual({
    ok: false,
    problem: 'There is no other name of the shape of the id "---".',
  });
});

test('parts that may stand in any order stand in another one, the same at all places of a group', () => {
  const document = { ask: 'one\ntwo\nthree', calls: [1, 2, 3], other: [7, 8] };
  for (let seed = 0; seed < 20; seed++) {
    const made = changed('permuted_turns', { document, independent: [['ask', 'calls']] }, seed);
    if (made?.ok !== true) throw new Error('nothing was permuted');
    const calls = made.document['calls'] as number[];
    expect(calls).not.toEqual([1, 2, 3]);
    expect([...calls].sort()).toEqual([1, 2, 3]);
    expect(made.document['ask']).toBe(calls.map((call) => ['one', 'two', 'three'][call - 1]).join('\n'));
    expect(made.document['other']).toEqual([7, 8]);
  }
});

test('places whose parts are not as many are told', () => {
  const document = { ask: 'one\ntwo', calls: [1, 2, 3] };
  expect(changed('permuted_turns', { document, independent: [['ask', 'calls']] })).toEqual({
    ok: false,
    problem: 'At "calls" stand 3 parts, at "ask" 2: their order cannot be the same.',
  });
  expect(changed('permuted_turns', { document, independent: [['nowhere']] })).toMatchObject({ ok: false });
});

test('context that asks nothing stands before and behind what was there', () => {
  const made = changed('irrelevant_context', { document: { user: { says: 'Cancel R-1.' } }, context: ['user.says'] });
  if (made?.ok !== true) throw new Error('nothing was added');
  expect((made.document['user'] as { says: string }).says).toMatch(/^[A-Z][^\n]*\.\nCancel R-1\.\n[A-Z][^\n]*\.$/);
});

test('a place of context without a text is told', () => {
  for (const place of ['user', 'user.said', 'list.4', '']) {
    const document = { user: {}, list: ['a'] };
    expect(changed('irrelevant_context', { document, context: [place] })).toMatchObject({ ok: false });
  }
});

test('a scenario that says nothing of a change is left alone', () => {
  for (const relation of ['renamed_ids', 'permuted_turns', 'irrelevant_context'] as const) {
    expect(changed(relation, { document: { a: 1 } })).toBeNull();
  }
  expect(changed('permuted_turns', { document: { a: [1] }, independent: [['a']] })).toBeNull();
});
