import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearSearch, occursInEveryText } from '../../src/values/linear-search.ts';

const EVERY = ['', '.*', '^', '\\A', 'a*', '(?:refund)?', '[\\s\\S]*', '(?i)x{0,3}', 'a|'];

test.each(EVERY)('/%s/ occurs in every text, and is told to', (pattern) => {
  expect(occursInEveryText(pattern)).toBe(true);
  const occurs = linearSearch(pattern);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => occurs(text)));
});

test.each<[pattern: string, without: string]>([
  ['.+', ''],
  ['\\S', ' '],
  ['^.*$', 'two\nlines'],
  ['\\b', ' '],
  ['\\B', 'a'],
  ['^$', 'a'],
  ['^[^€]*$', '€'],
  ['(?m)^b*$', 'a'],
])('/%s/ tells texts apart: %j does not have it', (pattern, without) => {
  expect(occursInEveryText(pattern)).toBe(false);
  expect(linearSearch(pattern)(without)).toBe(false);
});
