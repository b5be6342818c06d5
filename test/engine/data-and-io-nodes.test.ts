import { expect, test } from 'vitest';
import type { Reply } from '../../src/plugin/request.ts';
import { aStep, begin, converse, gives } from './a-step.ts';

const tool = (message: string) => ({ kind: 'error', category: 'tool', message });
/** The move that asks a port with what is wrong, for policy to speak first. */
const refused = (port: string, invalid: string) =>
  expect.objectContaining({ kind: 'ask', request: expect.objectContaining({ port, invalid }) });
const notSet = (path: string) => tool(`path \`${path}\` is not set in the execution context`);
const DENIED: Reply = { kind: 'error', category: 'policy', message: 'no', denied: true };

test('parse_json reads one document and tells where it is wrong', () => {
  const step = aStep('parse_json', { inputFrom: 'a.t' });
  expect(begin(step, { 'a.t': ' [1] ' })).toEqual({ kind: 'done', output: { parsed: [1] } });
  expect(begin(step, { 'a.t': '{' })).toEqual(
    tool('invalid JSON at `a.t`: EOF while parsing an object at line 1 column 1'),
  );
  expect(begin(step, { 'a.t': [] })).toEqual(tool('path `a.t` must resolve to a string; got array'));
  expect(begin(step)).toEqual(notSet('a.t'));
});

test('json_select tells a null that is there from nothing', () => {
  const select = (path: string) => begin(aStep('json_select', { inputFrom: 'x', path }), { x: { a: [null] } });
  expect(['a.0', 'a.1', ''].map(select)).toEqual([
    { kind: 'done', output: { value: null, found: true } },
    { kind: 'done', output: { value: null, found: false } },
    { kind: 'done', output: { value: { a: [null] }, found: true } },
  ]);
  expect(begin(aStep('json_select', { inputFrom: 'x', path: '' }))).toEqual(notSet('x'));
});

test('template_render without input renders null, with a missing one stops', () => {
  expect(begin(aStep('template_render', { template: '{{}} {{a}}' }))).toEqual({
    kind: 'done',
    output: { rendered: 'null {{a}}' },
  });
  const step = aStep('template_render', { template: 'Hi {{a}}', inputFrom: 'x' });
  expect(begin(step, { x: { a: 'you' } })).toEqual({ kind: 'done', output: { rendered: 'Hi you' } });
  expect(begin(step)).toEqual(notSet('x'));
});

test('diff_compute needs both sides', () => {
  const step = aStep('diff_compute', { leftFrom: 'l', rightFrom: 'r' });
  const unchanged = { added: {}, removed: {}, changed: {}, unchanged: true };
  expect(begin(step, { l: { a: 1 }, r: { a: 1 } })).toEqual({ kind: 'done', output: unchanged });
  expect(begin(step, { r: 1 })).toEqual(notSet('l'));
  expect(begin(step, { l: 1 })).toEqual(notSet('r'));
});

test('file nodes ask for their effect and give what was answered', () => {
  const answer = { path: '/a', content: 'x', bytes: 1 };
  const inputs = { p: '/a', c: { b: 1, a: 'é' } };
  const talk = (type: string, config: Record<string, string>) => converse(aStep(type, config), inputs, [gives(answer)]);
  const end = { kind: 'done', output: answer };
  expect(talk('read_file', { pathFrom: 'p' })).toEqual({
    requests: [{ port: 'file', op: 'read', as: 'read_file', path: '/a' }],
    end,
  });
  expect(talk('create_dir', { pathFrom: 'p' })).toEqual({
    requests: [{ port: 'file', op: 'mkdir', as: 'create_dir', path: '/a' }],
    end,
  });
  expect(talk('write_file', { pathFrom: 'p', contentFrom: 'c' })).toEqual({
    requests: [{ port: 'file', op: 'write', as: 'write_file', path: '/a', content: '{"a":"é","b":1}' }],
    end,
  });
  expect(talk('read_env', { key: 'HOME' })).toEqual({ requests: [{ port: 'env', key: 'HOME' }], end });
});

test('a refusal stops the node with its category', () => {
  const { end } = converse(aStep('read_file', { pathFrom: 'p' }), { p: '/a' }, [DENIED]);
  expect(end).toEqual({ kind: 'error', category: 'policy', message: 'no' });
});

test('an answer to another kind of request is an error, not a value', () => {
  const { end } = converse(aStep('read_file', { pathFrom: 'p' }), { p: '/a' }, [{ kind: 'children', results: [] }]);
  expect(end).toMatchObject({ kind: 'error', category: 'capability' });
});

test('http_request sends text as it is and anything else as JSON, headers by name', () => {
  const headers = { 'X-Two': '{{ secret:KEY }}', Accept: '*/*' };
  const step = aStep('http_request', { method: 'post', urlFrom: 'u', bodyFrom: 'b', headers });
  const ask = { port: 'http', method: 'POST', url: 'http://x', headers, body: '{"a":1}' };
  const found = converse(step, { u: 'http://x', b: { a: 1 } }, [
    gives({ status: 204, headers: {}, body: '', bytes: 0 }),
  ]);
  expect(found).toEqual({
    requests: [ask],
    end: { kind: 'done', output: { status: 204, headers: {}, body: '', bytes: 0 } },
  });
  expect(JSON.stringify(found.requests[0])).toContain('{"Accept":"*/*","X-Two"');
});

test.each([199, 301, 404, 500])('http_request takes the branch error on status %i', (status) => {
  const step = aStep('http_request', { method: 'GET', urlFrom: 'u' });
  const { end } = converse(step, { u: 'http://x' }, [gives({ status, headers: {}, body: '', bytes: 0 })]);
  expect(end).toEqual({ kind: 'done', output: { status, headers: {}, body: '', bytes: 0 }, branch: 'error' });
});

test.each([
  [{ 'bad name': 'x' }, 'header name `bad name` may hold only letters, digits, `-` and `_`'],
  [{ A: 'x\r\nB: y' }, 'header `A` contains a line break'],
  [{ A: '{{secret:X}} {{env:Y}}' }, 'header `A` has the placeholder `{{env:Y}}`; only `{{secret:NAME}}` is allowed'],
  [{ A: '{{secret:X' }, 'header `A` has an unclosed `{{`'],
])('http_request asks with headers that are refused after policy has spoken: %j', (headers, message) => {
  const step = aStep('http_request', { method: 'GET', urlFrom: 'u', headers });
  expect(begin(step, { u: 'http://x' })).toEqual(refused('http', message));
});

test('http_request lets policy judge the URL before it refuses a missing or oversized body', () => {
  const step = aStep('http_request', { method: 'GET', urlFrom: 'u', bodyFrom: 'b' });
  expect(begin(step, { u: 'http://x' })).toEqual(refused('http', notSet('b').message));
  expect(begin(step, { u: 'http://x', b: 'é'.repeat(524_289) })).toEqual(
    refused('http', 'request body 1048578 bytes exceeds cap'),
  );
  expect(begin(step, { u: 7 })).toEqual(tool('path `u` must resolve to a string; got number'));
});

test('shell_run runs an absolute path with text arguments', () => {
  const step = aStep('shell_run', { command: '/bin/ls', argsFrom: 'a', timeoutSecs: 0 });
  const ask = { port: 'process', command: '/bin/ls', args: ['-l'], timeoutMs: 1000 };
  const result = { exit_code: 0, signal: null, timed_out: false };
  expect(converse(step, { a: ['-l'] }, [gives(result)])).toEqual({
    requests: [ask],
    end: { kind: 'done', output: result },
  });
  expect(begin(step)).toEqual({ kind: 'ask', request: { ...ask, args: [] }, state: null });
  expect(begin(step, { a: null })).toEqual({ kind: 'ask', request: { ...ask, args: [] }, state: null });
  const text = 'args_from `a` must resolve to an array of strings; got string';
  expect(begin(step, { a: 'x' })).toEqual(refused('process', text));
  const element = 'args element must be a string; element 1 of `a` is of type number';
  expect(begin(step, { a: ['x', 1] })).toEqual(refused('process', element));
  expect(begin(aStep('shell_run', { command: 'ls' }))).toEqual(tool('shell_run requires an absolute path; got `ls`'));
});

test.each([
  { exit_code: 1, signal: null, timed_out: false },
  { exit_code: 0, signal: null, timed_out: true },
  { exit_code: -1, signal: 'SIGKILL', timed_out: false },
])('shell_run takes the branch error after %j', (result) => {
  const { end } = converse(aStep('shell_run', { command: '/x' }), {}, [gives(result)]);
  expect(end).toEqual({ kind: 'done', output: result, branch: 'error' });
});

test('MCP nodes use the only server and refuse to guess', () => {
  const call = (server: string | null, mcpServers: readonly string[]) =>
    begin(aStep('call_mcp_tool', { tool: 't', ...(server === null ? {} : { server }) }, { mcpServers }));
  const ask = { port: 'mcp', op: 'tool', server: 'a', target: 't', args: null };
  const error = (message: string) => ({ kind: 'error', category: 'workflow', message });
  expect([
    call(null, ['a']),
    call('a', ['a', 'b']),
    call('x', ['a', 'b']),
    call(null, []),
    call(null, ['a', 'b']),
  ]).toEqual([
    { kind: 'ask', request: ask, state: null },
    { kind: 'ask', request: ask, state: null },
    error('unknown mcp server `x`; configured: [a, b]'),
    error('no mcp_servers configured'),
    error('`server` field required'),
  ]);
});

test('call_mcp_tool takes the branch error when the tool says so; read_mcp_resource asks for a URI', () => {
  const view = { mcpServers: ['a'] };
  const tool = aStep('call_mcp_tool', { tool: 't', argsFrom: 'x' }, view);
  const failed = { tool: 't', server: 'a', content: [], is_error: true, structured: null };
  expect(converse(tool, { x: { q: 1 } }, [gives(failed)])).toEqual({
    requests: [{ port: 'mcp', op: 'tool', server: 'a', target: 't', args: { q: 1 } }],
    end: { kind: 'done', output: failed, branch: 'error' },
  });
  const contents = { uri: 'file:///x', server: 'a', contents: ['c'] };
  expect(
    converse(aStep('read_mcp_resource', { resourceFrom: 'u' }, view), { u: 'file:///x' }, [gives(contents)]),
  ).toEqual({
    requests: [{ port: 'mcp', op: 'resource', server: 'a', target: 'file:///x', args: null }],
    end: { kind: 'done', output: contents },
  });
});
