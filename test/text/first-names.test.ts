import { expect, test } from 'vitest';
import { firstNames } from '../../src/text/first-names.ts';

test('the first names are listed, and the others counted', () => {
  expect([firstNames(['a'], 2), firstNames(['a', 'b'], 2), firstNames(['a', 'b', 'c', 'd', 'e'], 2)]).toEqual([
    'a',
    'a, b',
    'a, b and 3 more',
  ]);
  const many = Array.from({ length: 2001 }, () => 'a');
  expect(firstNames(many, 1)).toBe('a and 2,000 more');
});
