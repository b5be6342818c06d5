import { expect, test } from 'vitest';
import { nameFilter } from '../../src/suite/select-scenarios.ts';

const NAMES = ['refund card', 'refund cash', 'answer'];

test.each([
  [[], NAMES],
  [['refund'], ['refund card', 'refund cash']],
  [
    ['/^answer$/', 'card'],
    ['refund card', 'answer'],
  ],
  [['!card'], ['refund cash', 'answer']],
  [['refund', '!/cash$/'], ['refund card']],
  [['!card', '!cash'], ['answer']],
  [['!'], []],
])('%j selects %j', (patterns, selected) => {
  expect(NAMES.filter(nameFilter(patterns))).toEqual(selected);
});
