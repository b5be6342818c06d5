import { expect, test } from 'vitest';
import { checksOf, failing, messages } from './builders.ts';

test('what stopped a run and where it errored can be demanded', () => {
  const expected = { stoppedBy: 'dead_end', erroredNode: 'route' };
  expect(failing(expected, { stoppedBy: 'dead_end', erroredNode: 'route' })).toEqual([]);
  expect(messages(expected)).toEqual([
    'stopped_by: expected dead_end, got terminate',
    'errored_node: expected route, got none',
  ]);
  expect(failing({ erroredNode: 'ghost' })).toEqual(['errored_node']);
});

test('a forbidden node must not be entered, and must exist', () => {
  const forbiddenNodes = ['route', 'done beta', 'ghost'];
  expect(messages({ forbiddenNodes }, { path: ['start', 'route', 'route'] })).toEqual([
    'forbidden_nodes route: expected no visit, got 2 visits',
    'forbidden_nodes "done beta": got no visit, as expected',
    'forbidden_nodes ghost: expected no visit, got no node of that name',
  ]);
});

test('nodes behind the end of the path count as not entered', () => {
  // The builder fills the buffer's rest with `route`.
  expect(failing({ forbiddenNodes: ['route'], path: ['start', 'route'] }, { path: ['start'] })).toEqual(['path']);
});

test('a branch must be taken in at least one visit, and the driver is told to keep branches', () => {
  const branches = [
    { node: 'route', branch: 'alpha' },
    { node: 'route', branch: 'beta gamma' },
    { node: 'ghost', branch: 'alpha' },
  ];
  expect(messages({ branches }, { branches: ['route: alpha'] })).toEqual([
    'branches route: alpha: got a visit that takes it, as expected',
    'branches route: "beta gamma": expected a visit that takes it, got none',
    'branches ghost: alpha: expected a visit that takes it, got no node of that name',
  ]);
  expect(checksOf({ branches }).map((check) => check.needsBranches)).toEqual([true, true, true]);
});

test('every counter has a lower and an upper bound', () => {
  const expected = {
    min: { llmTokens: 1, nodeExecutions: 4, writtenBytes: 1 },
    max: { nodeExecutions: 4, policyDenials: 0, workflowTimeouts: 0 },
  };
  expect(messages(expected, { counters: { llmTokens: 5, nodeExecutions: 5, policyDenials: 1 } })).toEqual([
    'min_total_tokens: got 5, as expected',
    'min_node_executions: got 5, as expected',
    'max_node_executions: expected at most 4, got 5',
    'max_policy_denials: expected at most 0, got 1',
    'min_written_bytes: expected at least 1, got 0',
    'max_workflow_timeouts: got 0, as expected',
  ]);
});
