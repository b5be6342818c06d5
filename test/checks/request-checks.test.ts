import { expect, test } from 'vitest';
import type { SentRequest } from '../../src/checks/check.ts';
import { failing, messages } from './builders.ts';

const anyHttp = { methods: [], headers: {}, body: {} };
const post: SentRequest = {
  node: 'send',
  request: { port: 'http', method: 'POST', url: 'https://a.test/log', headers: {}, body: '{"id":7}' },
};
const make: SentRequest = {
  node: 'build',
  request: { port: 'process', command: '/usr/bin/make', args: ['-j4'], timeoutMs: 1000 },
};
const find: SentRequest = {
  node: 'ask',
  request: { port: 'mcp', op: 'tool', server: 's', target: 'find', args: { q: 'x', page: 1 } },
};
const requests = [find, make, post];

test('requests are counted by what they are and who asked', () => {
  const expected = {
    requests: [
      {
        port: 'http',
        match: { ...anyHttp, methods: ['POST'], body: { json: { id: 7 } } },
        count: { atLeast: 1, atMost: null },
      },
      { port: 'http', match: { ...anyHttp, methods: ['DELETE'] }, count: { atLeast: 0, atMost: 0 } },
      { port: 'http', node: 'send', match: { ...anyHttp, url: 'https://b.test/*' }, count: { atLeast: 2, atMost: 2 } },
      { port: 'process', match: { command: '/usr/bin/make', argsContain: ['-j4'] }, count: { atLeast: 0, atMost: 0 } },
      { port: 'mcp', match: { server: 's', tool: 'find', args: { q: 'x' } }, count: { atLeast: 1, atMost: 3 } },
      { port: 'mcp', match: { resource: 'note:1' }, count: { atLeast: 1, atMost: null } },
    ],
  } as const;
  expect(messages(expected, { requests })).toMatchInlineSnapshot(`
    [
      "http POST: got 1 of 1, such as "POST https://a.test/log", as expected",
      "http DELETE: got none of 1, but "POST https://a.test/log", as expected",
      "http send https://b.test/*: expected exactly 2 fitting requests, got none of 1, but "POST https://a.test/log"",
      "processes /usr/bin/make: expected no fitting request, got 1 of 1, such as "/usr/bin/make -j4"",
      "mcp s find: got 1 of 1, such as "find", as expected",
      "mcp note:1: expected at least 1 fitting request, got none of 1, but "find"",
    ]
  `);
  expect(failing(expected, {})).toEqual(['http POST', 'http send https://b.test/*', 'mcp s find', 'mcp note:1']);
});

test('a sequence holds when its steps went out in order, whatever lies between', () => {
  const step = (tool: string) => ({ port: 'mcp', match: { tool } }) as const;
  const http = { port: 'http', match: anyHttp } as const;
  const process = { port: 'process', match: { argsContain: [] } } as const;
  expect(messages({ sequence: [step('find'), http] }, { requests })).toEqual(['sequence: got all 2, as expected']);
  expect(messages({ sequence: [http, process] }, { requests })).toEqual([
    'sequence: expected 2 requests in this order, got 1 of them, then never "processes": the last one "POST https://a.test/log"',
  ]);
  expect(failing({ sequence: [step('gone')] }, { requests: [] })).toEqual(['sequence']);
});

test('denials are counted by node and words', () => {
  const denials = [
    { node: 'send', message: 'http url `https://evil.test/` denied' },
    { node: 'load', message: 'read `/etc/passwd` denied' },
  ];
  const expected = {
    denials: [
      { contains: 'evil', count: { atLeast: 1, atMost: 1 } },
      { node: 'load', matches: '^read', count: { atLeast: 1, atMost: null } },
      { node: 'send', contains: 'passwd', count: { atLeast: 1, atMost: null } },
    ],
  };
  expect(messages(expected, { denials })).toMatchInlineSnapshot(`
    [
      "denials: got 1 of 2, such as "http url \`https://evil.test/\` denied", as expected",
      "denials load: got 1 of 1, such as "read \`/etc/passwd\` denied", as expected",
      "denials send: expected at least 1 fitting denial, got none of 1, but "http url \`https://evil.test/\` denied"",
    ]
  `);
});

test('reasons are compared whole and by pattern', () => {
  const expected = { reasonEquals: 'it broke', reasonMatches: '^it \\w+$' };
  expect(failing(expected, { status: 'failed', reason: 'it broke' })).toEqual([]);
  expect(messages(expected, { status: 'errored', reason: 'it broke down' })).toEqual([
    'reason_equals: expected "it broke", got "it broke down"',
    'reason_matches: expected a match of "^it \\\\w+$" in the reason, got "it broke down"',
  ]);
  expect(failing(expected, { status: 'completed' })).toEqual(['reason_equals', 'reason_matches']);
});

test('a reply that must not be there fails when it is', () => {
  const response = { status: 200, contentType: 'text/plain', body: 'ok' };
  expect(failing({ respond: 'none' }, {})).toEqual([]);
  expect(messages({ respond: 'none' }, { response })).toEqual(['respond: expected no reply, got "ok"']);
});
