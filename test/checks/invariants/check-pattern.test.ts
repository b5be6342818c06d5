import { expect, test } from 'vitest';
import { checkPattern } from '../../../src/checks/invariants/check-pattern.ts';

test.each([
  ['.*', ['useless_pattern']],
  ['(?i)(?:refund)?', ['useless_pattern']],
  ['^(?!.*secret)', []],
  ['(?<!no )refund', []],
  ['\\S', []],
])('the pattern /%s/ of a rule has the problems %j', (pattern, codes) => {
  const told: string[] = [];
  checkPattern(pattern, [], ({ code }) => told.push(code));
  expect(told).toEqual(codes);
});
