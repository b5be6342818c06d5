import { expect, test } from 'vitest';
import { Recent } from '../../src/values/recent.ts';

test('only the last few are found again, the latest of those that fit first', () => {
  const recent = new Recent<string>(3);
  expect(recent.find(() => true)).toBeUndefined();
  for (const one of ['a1', 'b1', 'a2', 'c1', 'd1']) expect(recent.keep(one)).toBe(one);
  const startingWith = (letter: string) => recent.find((one) => one.startsWith(letter));
  expect(['a', 'b', 'c', 'd'].map(startingWith)).toEqual(['a2', undefined, 'c1', 'd1']);
  recent.keep('c2');
  expect(['a', 'c', ''].map(startingWith)).toEqual([undefined, 'c2', 'c2']);
});
