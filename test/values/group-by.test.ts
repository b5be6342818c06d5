import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBy } from '../../src/values/group-by.ts';

test('gives groups in order of first appearance, each with its items in their order', () => {
  const groups = groupBy(['pear', 'fig', 'plum', 'fennel'], (word) => word.charAt(0));
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['f', ['fig', 'fennel']],
  ]);
});

test('loses no item, and has no empty group', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (items) => {
      const groups = [...groupBy(items, (item) => item % 3)];
      expect(groups.flatMap(([, group]) => group).toSorted()).toEqual(items.toSorted());
      for (const [key, group] of groups) {
        expect(group.length).toBeGreaterThan(0);
        expect(group.every((item) => item % 3 === key)).toBe(true);
      }
    }),
  );
});
