import { expect, test } from 'vitest';
import { didYouMean, hintFor } from '../../src/text/did-you-mean.ts';

const known = ['name', 'trials', 'timeout_secs', 'min_pass_rate', 'last_node', 'reason_contains', 'id'];

test.each([
  ['trails', 'trials'],
  ['trial', 'trials'],
  ['Name', 'name'],
  ['minPassRate', 'min_pass_rate'],
  ['min-pass-rate', 'min_pass_rate'],
  ['timeout', 'timeout_secs'],
  ['lastnode', 'last_node'],
  ['reason_contain', 'reason_contains'],
  ['ID', 'id'],
  ['colour', null],
  ['ix', null],
  ['', null],
  ['time', 'timeout_secs'],
  ['nmae', 'name'],
  ['mane', null],
  ['x'.repeat(1_000_000), null],
])('knows what was meant (%#)', (word, meant) => {
  expect(didYouMean(word, known)).toBe(meant);
});

test('prefers the closest, and the first of equals', () => {
  expect(didYouMean('aax', ['aab', 'aac', 'aaxx'])).toBe('aab');
  expect(didYouMean('node_id', ['node_ids', 'node-id'])).toBe('node-id');
});

test('prefers the one name that was cut short to one that takes several edits', () => {
  const conditions = ['always', 'any_chaos_active', 'no_chaos'];
  expect(didYouMean('any_chaos', conditions)).toBe('any_chaos_active');
  expect(didYouMean('no_chao', conditions)).toBe('no_chaos');
});

test('leads to the right word or lists what there is', () => {
  expect(hintFor('trails', known)).toBe('Did you mean "trials"?');
  expect(hintFor('colour', ['a', 'b'])).toBe('Known keys: a, b.');
  expect(
    hintFor(
      'colour',
      Array.from({ length: 15 }, (_, i) => `k${i}`),
    ),
  ).toBe('Known keys: k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11 and 3 more.');
  expect(hintFor('colour', [], 'nodes')).toBe('There are no known nodes here.');
});
