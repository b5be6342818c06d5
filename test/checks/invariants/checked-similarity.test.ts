import { expect, test } from 'vitest';
import { checkedSimilarity } from '../../../src/checks/invariants/checked-similarity.ts';
import type { Similarity, SimilarityType } from '../../../src/plugin/similarity-type.ts';
import { aView, checksOf } from '../builders.ts';
import { anInvariant } from './builders.ts';

function aType(create: () => Similarity): SimilarityType {
  return { kind: 'similarity', type: 'mine', summary: 'Mine.', create };
}

test('a plug-in is created once, asked once for the same texts, and given the answer second', () => {
  const asked: string[] = [];
  let created = 0;
  const measure = checkedSimilarity(
    aType(() => {
      created++;
      return (left, right) => {
        asked.push(`${left} ${right}`);
        return left.length / 10;
      };
    }),
  );
  expect([created, measure('one', 'other'), measure('one', 'other'), measure('other', 'one'), created]).toEqual([
    0, 0.3, 0.3, 0.5, 1,
  ]);
  expect(asked).toEqual(['one other', 'other one']);
});

test.each([
  ['1.5', () => 1.5],
  ['-0.1', () => -0.1],
  ['NaN', () => Number.NaN],
  ['a value of type string', () => '1' as unknown as number],
  ['a promise', () => Promise.resolve(1) as unknown as number],
])('%s is no similarity, and the plug-in is named', (shown, measure) => {
  expect(() => checkedSimilarity(aType(() => measure))('a', 'b')).toThrow(
    `Similarity "mine" gave ${shown}: it gives at once a number from 0 to 1.`,
  );
});

test('what a plug-in throws, at once or when it is created, names it', () => {
  const fail = (): never => {
    throw new Error('planted');
  };
  for (const type of [aType(fail), aType(() => fail)]) {
    expect(() => checkedSimilarity(type)('a', 'b')).toThrow(
      /^Similarity "mine" failed at checked-similarity\.test\.ts:\d+:\d+: planted$/,
    );
  }
});

test('the bounds are similarities', () => {
  expect([0, 1].map((value) => checkedSimilarity(aType(() => () => value))('a', 'b'))).toEqual([0, 1]);
});

test('rules that compare texts do it by the similarity that they are given', () => {
  const list = [
    anInvariant({ type: 'similarity', expected: 'a', threshold: 0.6 }),
    anInvariant({ type: 'behavior_unchanged', baseline: 'b', threshold: 0.5 }, { id: 'unchanged' }),
  ];
  const similarity: Similarity = (left, right) => (right === 'said' ? (left === 'a' ? 0.6 : 0.4) : 0);
  const held = checksOf({ invariants: { list } }, { similarity }).map((check) =>
    check.holds(aView({ finalValue: 'said' })),
  );
  expect(held).toEqual([true, false]);
});
