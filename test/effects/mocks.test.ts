import { expect, test } from 'vitest';
import type { HttpRequest, ProcessRequest } from '../../src/plugin/request.ts';
import type { McpRequest } from '../../src/plugin/mcp-request.ts';
import type { MockMcpResource } from '../../src/types/mock.ts';
import { aProcessMock, aToolMock, anHttpMock } from './a-mock.ts';
import { aWorld, told } from './a-world.ts';

const aResource: MockMcpResource = {
  replies: [{ contents: ['text'], delayMs: 0 }],
  afterLast: 'repeat',
  times: null,
};

function get(url: string, method = 'GET', body: string | null = null): HttpRequest {
  return { port: 'http', method, url, headers: {}, body };
}

function run(command: string, args: readonly string[] = [], timeoutMs = 30_000): ProcessRequest {
  return { port: 'process', command, args, timeoutMs };
}

function ask(target: string, server: string | null = null, op: 'tool' | 'resource' = 'tool'): McpRequest {
  return { port: 'mcp', op, server, target, args: null };
}

test('environment: declared values, and nothing else', () => {
  const world = aWorld({ env: { KEY: 'value', ['__proto__x']: '' } });
  expect(
    ['KEY', 'HOME', 'constructor', '__proto__'].map((key) => told(world.answer({ port: 'env', key }).reply)),
  ).toEqual([
    { key: 'KEY', value: 'value' },
    { key: 'HOME', value: null, missing: true },
    { key: 'constructor', value: null, missing: true },
    { key: '__proto__', value: null, missing: true },
  ]);
});

test('http: the first entry whose method and URL fit answers, in virtual time', () => {
  const world = aWorld({
    http: [
      anHttpMock({ methods: ['POST'], url: 'https://api.example/v1/items' }, { status: 201 }),
      anHttpMock(
        { url: 'https://api.example/v1/*' },
        { headers: { 'Content-Type': 'text/plain' }, body: 'grüß', delayMs: 250 },
      ),
    ],
  });
  const answers = [get('https://api.example/v1/items', 'POST'), get('HTTPS://API.example:443/v1/items')].map(
    (request) => world.answer(request),
  );
  expect(answers).toEqual([
    {
      reply: { kind: 'value', value: { status: 201, headers: {}, body: '', bytes: 0 } },
      delayUs: 0,
      source: 'mock',
      fault: null,
    },
    {
      reply: {
        kind: 'value',
        value: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'grüß', bytes: 6 },
      },
      delayUs: 250_000,
      source: 'mock',
      fault: null,
    },
  ]);
});

test('http: what nothing answers breaks the trial, what cannot be sent fails the node', () => {
  const world = aWorld({ http: [anHttpMock({ url: 'http://h/*' })] });
  expect(
    [get('http://x/', 'PUT'), get('ftp://h/'), get('http://u@h/'), get('http://h/', 'POST', 'x'.repeat(1048577))].map(
      (request) => told(world.answer(request).reply),
    ),
  ).toEqual([
    'broken: Nothing answers http_request `PUT http://x/`. Declare [[world.http]] with method = "PUT" and a url that covers it, or allow the real request with --allow-net=x.',
    'tool: URL must start with http:// (got ftp://h/), or with https://',
    'tool: http://*@h/: the URL carries user information before its host',
    'tool: request body 1048577 bytes exceeds cap of 1048576',
  ]);
});

test('processes: command and arguments decide, a slow one is killed at its limit', () => {
  const world = aWorld({
    processes: [
      aProcessMock({ command: '/bin/tool', args: ['-v'] }, { stdout: '1.0', delayMs: 40 }),
      aProcessMock({ command: '/bin/tool' }, { exitCode: 2, stderr: 'usage' }),
      aProcessMock({ command: '/bin/slow' }, { stdout: 'late', delayMs: 2000 }),
    ],
  });
  const answers = [run('/bin/tool', ['-v']), run('/usr/../bin/tool', ['-x']), run('/bin/slow', [], 1000)].map(
    (request) => world.answer(request),
  );
  const output = { signal: null, stdout: '', stderr: '', truncated: false, timed_out: false };
  expect(answers.map(({ reply, delayUs }) => [told(reply), delayUs])).toEqual([
    [{ ...output, command: '/bin/tool', args: ['-v'], exit_code: 0, stdout: '1.0', duration_ms: 40 }, 40_000],
    [{ ...output, command: '/usr/../bin/tool', args: ['-x'], exit_code: 2, stderr: 'usage', duration_ms: 0 }, 0],
    [
      { ...output, command: '/bin/slow', args: [], exit_code: -1, signal: 9, timed_out: true, duration_ms: 1000 },
      1_000_000,
    ],
  ]);
  expect([run('tool'), run('/bin/other', ['a b'])].map((request) => told(world.answer(request).reply))).toEqual([
    'tool: shell_run requires an absolute path, not `tool`',
    'broken: Nothing answers shell_run `/bin/other a b`. Declare [[world.processes]] with command = "/bin/other", or allow the real program with --allow-run=/bin/other.',
  ]);
});

test('processes: output is cut at 64 KiB, at a whole character', () => {
  const world = aWorld({ processes: [aProcessMock({ command: '/bin/tool' }, { stdout: `x${'ä'.repeat(40_000)}` })] });
  expect(told(world.answer(run('/bin/tool')).reply)).toMatchObject({
    stdout: `x${'ä'.repeat(32_767)}`,
    truncated: true,
  });
});

test('MCP: tools and resources of declared servers', () => {
  const tool = { content: [{ type: 'text', text: 'hi' }], structured: { a: 1 }, isError: true, delayMs: 5 };
  const world = aWorld({
    mcp: [{ name: 's', tools: { echo: [aToolMock(tool)] }, resources: { 'note:1': [aResource] } }],
  });
  expect(
    [
      ask('echo'),
      ask('note:1', 's', 'resource'),
      ask('gone'),
      ask('toString'),
      ask('x', 't'),
      ask('note:2', null, 'resource'),
    ].map((request) => told(world.answer(request).reply)),
  ).toEqual([
    { tool: 'echo', server: 's', content: tool.content, is_error: true, structured: { a: 1 } },
    { uri: 'note:1', server: 's', contents: ['text'] },
    'broken: Nothing answers call_mcp_tool `gone` on server `s`. Declare the tool in the [[world.mcp]] entry named "s", or allow the real server with --allow-run for its command or --allow-net for its url.',
    'broken: Nothing answers call_mcp_tool `toString` on server `s`. Declare the tool in the [[world.mcp]] entry named "s", or allow the real server with --allow-run for its command or --allow-net for its url.',
    'workflow: unknown mcp server `t`; configured: [s]',
    'broken: Nothing answers read_mcp_resource `note:2` on server `s`. Declare the resource in the [[world.mcp]] entry named "s", or allow the real server with --allow-run for its command or --allow-net for its url.',
  ]);
  expect(world.answer(ask('echo')).delayUs).toBe(5000);
});

test('MCP: a request without a server needs exactly one', () => {
  const server = { tools: {}, resources: {} };
  const two = aWorld({
    mcp: [
      { name: 's', ...server },
      { name: 't', ...server },
    ],
  });
  const declared = aWorld({}, { mcpServers: ['s'] });
  expect([two, aWorld(), declared].map((world) => told(world.answer(ask('x')).reply))).toEqual([
    'workflow: `server` field required',
    'workflow: no mcp_servers configured',
    'broken: Nothing answers call_mcp_tool `x` on server `s`. Declare the tool in a [[world.mcp]] entry named "s", or allow the real server with --allow-run for its command or --allow-net for its url.',
  ]);
});
