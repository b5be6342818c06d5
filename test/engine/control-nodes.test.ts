import { expect, test } from 'vitest';
import { builtinNodes } from '../../src/engine/builtin.ts';
import { errorText } from '../../src/engine/error-text.ts';
import { lookUp, splitPath } from '../../src/engine/path.ts';
import type { Json } from '../../src/types/json.ts';
import { aStep, begin } from './a-step.ts';

test('all 24 node types are listed once', () => {
  expect(builtinNodes.map((node) => node.type).sort()).toEqual(
    [
      ...['agent_loop', 'call', 'call_mcp_tool', 'condition', 'create_dir', 'diff_compute', 'fail', 'http_request'],
      ...['json_select', 'llm_infer', 'map', 'merge', 'parallel', 'parse_json', 'pause_for_approval', 'read_env'],
      ...['read_file', 'read_mcp_resource', 'respond', 'shell_run', 'switch', 'template_render', 'terminate'],
      'write_file',
    ].sort(),
  );
});

test('each error category has its own prefix', () => {
  const categories = ['config', 'workflow', 'policy', 'capability', 'tool', 'intelligence', 'mcp', 'schema'] as const;
  const texts = [...categories, 'timeout', 'io', 'json'].map((c) => errorText(c as 'io', 'M', 'read_file', 'flow'));
  expect(texts).toEqual([
    'configuration error: M',
    'workflow `flow`: M',
    'policy violation: M',
    'capability unavailable: M',
    'tool `read_file` failed: M',
    'intelligence call failed: M',
    'mcp: M',
    'schema validation failed: M',
    'timeout after M',
    'io error: M',
    'json error: M',
  ]);
});

test('context paths keep empty segments as the key ""', () => {
  const value = { a: { '': { b: [5] } } };
  const found = ['n.a..b.0', 'n.a.b', 'n', 'n.a..b.+00', 'n.'].map((path) => lookUp(value, splitPath(path), 1));
  expect(found).toEqual([5, undefined, value, 5, undefined]);
});

test.each<[Json, string]>([
  [null, 'false'],
  [false, 'false'],
  [0, 'false'],
  [-0, 'false'],
  ['', 'false'],
  [[], 'false'],
  [{}, 'false'],
  [true, 'true'],
  [0.1, 'true'],
  ['false', 'true'],
  [[null], 'true'],
  [{ a: null }, 'true'],
])('condition: %j is %s', (value, branch) => {
  expect(begin(aStep('condition', { expr: 'x.y' }), { 'x.y': value })).toEqual({
    kind: 'done',
    output: { value },
    branch,
  });
});

test('condition and switch take a missing value for null', () => {
  expect(begin(aStep('condition', { expr: 'x' }))).toEqual({ kind: 'done', output: { value: null }, branch: 'false' });
  expect(begin(aStep('switch', { expr: 'x' }))).toEqual({ kind: 'done', output: { value: null }, branch: 'null' });
});

test.each<[Json, string]>([
  [' Text ', ' Text '],
  [true, 'true'],
  [3, '3'],
  [-2.5, '-2.5'],
  [null, 'null'],
  [[1], 'array'],
  [{}, 'object'],
])('switch: %j takes the branch %j', (value, branch) => {
  expect(begin(aStep('switch', { expr: 'x' }), { x: value })).toEqual({ kind: 'done', output: { value }, branch });
});

test('merge goes on with null; fail, terminate and pause end or stop the run', () => {
  expect(['merge', 'terminate', 'fail', 'pause_for_approval'].map((type) => begin(aStep(type)))).toEqual([
    { kind: 'done', output: null },
    { kind: 'end', status: 'completed' },
    { kind: 'end', status: 'failed', reason: 'workflow failed' },
    { kind: 'pause' },
  ]);
  expect(begin(aStep('fail', { reason: '{{literal}}' }))).toEqual({
    kind: 'end',
    status: 'failed',
    reason: '{{literal}}',
  });
  expect(begin(aStep('pause_for_approval', { reason: 'look' }))).toEqual({ kind: 'pause', reason: 'look' });
});

test('respond renders the raw payload, or the value it is pointed at', () => {
  expect(begin(aStep('respond', { bodyTemplate: 'é{{who}}' }), { payload: { who: 'me' } })).toEqual({
    kind: 'done',
    output: { status: 200, content_type: 'application/json', bytes: 4 },
    response: { status: 200, contentType: 'application/json', body: 'éme' },
  });
  const pointed = { bodyTemplate: '{{}}', status: 404, contentType: 'text/plain', inputFrom: 'a.b' };
  expect(begin(aStep('respond', pointed), { 'a.b': [1] })).toEqual({
    kind: 'done',
    output: { status: 404, content_type: 'text/plain', bytes: 3 },
    response: { status: 404, contentType: 'text/plain', body: '[1]' },
  });
});

test('respond refuses a missing value and an impossible status', () => {
  expect([
    begin(aStep('respond', { bodyTemplate: '', inputFrom: 'a.b' })),
    begin(aStep('respond', { bodyTemplate: '', status: 99 }), { payload: null }),
  ]).toEqual([
    { kind: 'error', category: 'tool', message: 'input_from path `a.b` is not set in the execution context' },
    { kind: 'error', category: 'tool', message: 'status 99 is outside 100..599' },
  ]);
});
