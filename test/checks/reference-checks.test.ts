import { expect, test } from 'vitest';
import { failing, messages } from './builders.ts';

test('a status is compared word for word, and a word that is no status never matches', () => {
  expect(messages({ status: 'completed' })).toEqual(['status: got completed, as expected']);
  expect(messages({ status: 'completed' }, { status: 'errored' })).toEqual(['status: expected completed, got errored']);
  expect(failing({ status: 'Completed' })).toEqual(['status']);
});

test('the last node is judged in errored runs too', () => {
  expect(messages({ lastNode: 'done_alpha' }, { path: ['start', 'route'] })).toEqual([
    'last_node: expected done_alpha, got route',
  ]);
  expect(messages({ lastNode: 'route' }, { status: 'errored', path: ['start', 'route'] })).toEqual([
    'last_node: got route, as expected',
  ]);
  expect(messages({ lastNode: 'done beta' }, { path: [] })).toEqual(['last_node: expected "done beta", got none']);
});

test('a last node that does not exist is never the last node, not even when there is none', () => {
  expect(failing({ lastNode: 'ghost' }, { path: [] })).toEqual(['last_node']);
});

test('a reason is searched in failed and errored runs only', () => {
  const reason = 'parse_json failed:\ninvalid JSON at `reply`';
  expect(messages({ reasonContains: 'JSON' }, { status: 'failed', reason })).toEqual([
    'reason_contains: got "parse_json failed:\\ninvalid JSON at `reply`", as expected',
  ]);
  expect(failing({ reasonContains: 'JSON' }, { status: 'errored', reason })).toEqual([]);
  const wanted = { reasonContains: 'Json' };
  expect([
    ...messages(wanted, { status: 'failed', reason }),
    ...messages(wanted, { status: 'failed' }),
    ...messages(wanted, { status: 'errored' }),
    ...messages(wanted, { status: 'completed', reason: 'Json' }),
    ...messages(wanted, { status: 'timed_out', reason: 'Json' }),
    ...messages(wanted, { status: 'paused', reason: 'Json' }),
  ]).toMatchInlineSnapshot(`
    [
      "reason_contains: expected "Json" in the reason, got "parse_json failed:\\ninvalid JSON at \`reply\`"",
      "reason_contains: expected "Json" in the reason, got no reason: the run failed without one",
      "reason_contains: expected "Json" in the reason, got no reason: the run errored without one",
      "reason_contains: expected "Json" in the reason, got no reason: the run completed",
      "reason_contains: expected "Json" in the reason, got no reason: the run timed out",
      "reason_contains: expected "Json" in the reason, got no reason: the run paused",
    ]
  `);
});

test('a path is a prefix, or everything when exact; an empty one asserts nothing', () => {
  const path = ['start', 'route'];
  expect(failing({ path })).toEqual([]);
  expect(failing({ path, pathExact: true })).toEqual(['path']);
  expect(failing({ path, pathExact: true }, { path: ['start', 'route'] })).toEqual([]);
  expect(failing({ path, pathExact: false }, { status: 'errored', path: ['start', 'route'] })).toEqual([]);
  expect(messages({ path: [], pathExact: true })).toEqual([]);
});

test('a path that fails says at which step', () => {
  const path = ['start', 'done beta'];
  expect([
    ...messages({ path }),
    ...messages({ path }, { path: ['start'] }),
    ...messages({ path }, { path: [] }),
    ...messages({ path: ['start'], pathExact: true }),
    ...messages({ path: ['start', 'ghost'] }),
    ...messages({ path }, { path: ['start', 'done beta', 'route'] }),
  ]).toMatchInlineSnapshot(`
    [
      "path: expected a path that begins start → "done beta", got start → route → done_alpha (differs at step 2)",
      "path: expected a path that begins start → "done beta", got start (ends before step 2)",
      "path: expected a path that begins start → "done beta", got no node (ends before step 1)",
      "path: expected exactly start, got start → route → done_alpha (goes on at step 2)",
      "path: expected a path that begins start → ghost, got start → route → done_alpha (differs at step 2)",
      "path: got start → "done beta" → route, as expected",
    ]
  `);
});

test('a long path is shortened in the message', () => {
  const path = Array.from({ length: 10_000 }, () => 'route' as const);
  expect(messages({ path: ['start'] }, { path })[0]).toBe(
    `path: expected a path that begins start, got ${'route → '.repeat(16)}… (10000 steps) (differs at step 1)`,
  );
});

test('bounds of counters hold at the bound itself', () => {
  const bounds = { max: { llmCalls: 2, llmTokens: 100 }, min: { policyDenials: 1 } };
  expect(failing(bounds, { counters: { llmCalls: 2, llmTokens: 100, policyDenials: 1 } })).toEqual([]);
  expect(messages(bounds, { counters: { llmCalls: 3, llmTokens: 101 } })).toEqual([
    'max_llm_calls: expected at most 2, got 3',
    'max_total_tokens: expected at most 100, got 101',
    'min_policy_denials: expected at least 1, got 0',
  ]);
});
