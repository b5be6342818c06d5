import { expect, test } from 'vitest';
import { nameFilter, selectScenarios } from '../../src/suite/select-scenarios.ts';

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

test('files that did not load stay where what is wanted may be in them', () => {
  const failed = (name: string, more: object = {}) =>
    ({ ok: false, file: 'a.toml', name, capabilities: [], trials: 1, issues: [], ...more }) as const;
  const rows = [failed('refund'), failed('a.toml'), failed('shop', { isOfSeveral: true })];
  const select = (...names: readonly string[]): readonly string[] =>
    selectScenarios(rows, { names, tags: [] }).map((row) => (row.ok ? '' : row.name));
  expect(select('refund')).toEqual(['refund', 'a.toml', 'shop']);
  expect(select('answer')).toEqual(['a.toml', 'shop']);
  expect(select('answer', '!shop')).toEqual(['a.toml']);
  expect(select('!a.toml', '!refund')).toEqual(['shop']);
});
