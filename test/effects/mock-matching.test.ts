import { describe, expect, test } from 'vitest';
import type { HttpRequest, ProcessRequest } from '../../src/plugin/request.ts';
import type { McpRequest } from '../../src/plugin/mcp-request.ts';
import type { HttpMatch } from '../../src/types/mock.ts';
import { aProcessMock, aToolMock, anHttpMock, anHttpReply } from './a-mock.ts';
import { aWorld, told } from './a-world.ts';

function http(request: Partial<HttpRequest>): HttpRequest {
  return { port: 'http', method: 'GET', url: 'https://a.test/', headers: {}, body: null, ...request };
}

function run(command: string, args: readonly string[] = []): ProcessRequest {
  return { port: 'process', command, args, timeoutMs: 30_000 };
}

function call(target: string, args: McpRequest['args'] = null): McpRequest {
  return { port: 'mcp', op: 'tool', server: null, target, args };
}

/** Bodies: `yes` where the match fits, `no` where the next entry answers. */
function bodies(match: Partial<HttpMatch>, requests: readonly Partial<HttpRequest>[]): readonly unknown[] {
  const world = aWorld({ http: [anHttpMock(match, { body: 'yes' }), anHttpMock({ url: '*' }, { body: 'no' })] });
  return requests.map((request) => (told(world.answer(http(request)).reply) as { readonly body: unknown }).body);
}

describe('a URL', () => {
  test.each<readonly [pattern: string, fits: readonly string[], others: readonly string[]]>([
    [
      'https://a.test/users/*/orders',
      ['https://a.test/users/7/orders', 'HTTPS://A.test:443/users/7/./orders'],
      ['https://a.test/users/7/8/orders', 'https://a.test/users/7/orders?x=1', 'https://b.test/users/7/orders'],
    ],
    ['https://a.test/v*/x/*', ['https://a.test/v1/x', 'https://a.test/v2/x/y/z'], ['https://a.test/v1/xy']],
    ['https://a.test/*/re*', ['https://a.test/a/report?x=1'], ['https://a.test/re']],
    ['https://a.test/a.c/*/d', ['https://a.test/a.c/b/d'], ['https://a.test/abc/b/d']],
  ])('%s has stars for parts of segments', (url, fits, others) => {
    expect(
      bodies(
        { url },
        [...fits, ...others].map((asked) => ({ url: asked })),
      ),
    ).toEqual([...fits.map(() => 'yes'), ...others.map(() => 'no')]);
  });

  test('can be a pattern, over its canonical form', () => {
    const match = { urlMatches: '^https://a\\.test/\\d+$' };
    const asked = ['HTTPS://a.test:443/12', 'https://a.test/x'].map((url) => ({ url }));
    expect(bodies(match, asked)).toEqual(['yes', 'no']);
  });

  test('has parameters in any order, each with all the values asked for', () => {
    const match = { url: 'https://a.test/find', query: { page: ['2'], tag: ['a', { contains: 'b' }] } };
    const queries = ['page=2&tag=a&tag=xbx', 'tag=b&extra=1&tag=a&page=2', 'page=2&tag=a', 'tag=a&tag=b', ''];
    const asked = queries.map((query) => ({ url: `https://a.test/find?${query}` }));
    expect(bodies(match, asked)).toEqual(['yes', 'yes', 'no', 'no', 'no']);
  });
});

test('a request fits by headers without regard to the case of names, and by its body', () => {
  const asked = [
    { headers: { 'X-Key': 'k1' }, body: '{"a":{"b":1,"c":2},"l":[{"x":1,"y":2}]}' },
    { headers: { 'X-Key': 'k1' }, body: '{"a":{"b":1},"l":[]}' },
    { headers: { 'X-Key': 'other' }, body: '{"a":{"b":1},"l":[{"x":1}]}' },
    { headers: { 'X-Key': 'k1' }, body: 'a l x' },
    { headers: {}, body: null },
  ];
  const match = { headers: { 'x-key': { matches: '^k\\d$' } }, body: { json: { a: { b: 1 }, l: [{ x: 1 }] } } };
  expect(bodies(match, asked)).toEqual(['yes', 'no', 'no', 'no', 'no']);
});

test('arguments of programs fit one by one, or by some of them', () => {
  const world = aWorld({
    processes: [
      aProcessMock({ command: '/bin/t', args: ['-n', { matches: '^\\d+$' }] }, { stdout: 'exact' }),
      aProcessMock({ command: '/bin/t', argsContain: ['--force', { contains: 'main' }] }, { stdout: 'among' }),
      aProcessMock({ command: '/bin/t' }, { stdout: 'any' }),
    ],
  });
  const asked = [['-n', '7'], ['-n', 'x'], ['origin/main', '--force'], ['--force'], ['-n', '7', '8']];
  expect(
    asked.map((args) => (told(world.answer(run('/bin/t', args)).reply) as { readonly stdout: unknown }).stdout),
  ).toEqual(['exact', 'any', 'among', 'any', 'any']);
});

test('replies come in order for each trial anew, and what comes after the last is declared', () => {
  const replies = [anHttpReply({ status: 503 }), anHttpReply({ status: 200 })];
  const world = aWorld({
    http: [
      anHttpMock({ url: 'https://a.test/r' }, {}, { replies }),
      anHttpMock({ url: 'https://a.test/e' }, {}, { replies, afterLast: 'error' }),
      anHttpMock({ url: 'https://a.test/t' }, {}, { replies, times: 3 }),
      anHttpMock({ url: 'https://a.test/t' }, { status: 404 }),
    ],
  });
  const trial = (path: string) =>
    Array.from({ length: 4 }, () => {
      const reply = told(world.answer(http({ url: `https://a.test/${path}` })).reply);
      return typeof reply === 'string' ? reply : (reply as { readonly status: unknown }).status;
    });
  const expected = [
    [503, 200, 200, 200],
    [503, 200, ...Array(2).fill('tool: connect a.test:443: Connection refused (os error 111)')],
    [503, 200, 200, 404],
  ];
  expect(['r', 'e', 't'].map(trial)).toEqual(expected);
  world.reset();
  expect(['r', 'e', 't'].map(trial)).toEqual(expected);
});

test('the same reply is the same frozen answer, however often it comes', () => {
  const replies = [anHttpReply({ body: 'a' }), anHttpReply({ body: 'b' })];
  const world = aWorld({ http: [anHttpMock({ url: '*' }, {}, { replies })] });
  const [first] = [world.answer(http({})), world.answer(http({}))];
  world.reset();
  const again = world.answer(http({}));
  expect(again).toBe(first);
  expect(Object.isFrozen(again?.reply)).toBe(true);
});

test('what nothing answers any more breaks the trial and says why', () => {
  const world = aWorld({
    http: [anHttpMock({ url: 'https://a.test/' }, {}, { times: 1 })],
    mcp: [{ name: 's', tools: { find: [{ args: { q: 1 }, ...aToolMock({ content: 'x' }) }] }, resources: {} }],
  });
  world.answer(http({}));
  expect([told(world.answer(http({})).reply), told(world.answer(call('find', { q: 2 })).reply)]).toEqual([
    expect.stringMatching(
      /^broken: Nothing answers .* with these headers and this body, or its mocks are used up\. Declare one more/,
    ),
    expect.stringMatching(
      /^broken: Nothing answers .* with these arguments, or its mocks are used up\. Declare one more/,
    ),
  ]);
});

test('programs end by signals, hang until their limit, or do not start', () => {
  const world = aWorld({
    processes: [
      aProcessMock({ command: '/bin/killed' }, { signal: 15, exitCode: 3, stdout: 'half' }),
      aProcessMock({ command: '/bin/hangs' }, { hangs: true, stdout: 'waiting' }),
      aProcessMock({ command: '/bin/gone' }, { error: 'not_found' }),
      aProcessMock({ command: '/bin/text' }, { error: 'not_executable' }),
    ],
  });
  const answers = ['/bin/killed', '/bin/hangs', '/bin/gone', '/bin/text'].map((path) =>
    told(world.answer(run(path)).reply),
  );
  expect(answers).toMatchObject([
    { exit_code: -1, signal: 15, stdout: 'half', timed_out: false },
    { exit_code: -1, signal: 9, stdout: 'waiting', timed_out: true, duration_ms: 30_000 },
    'tool: resolve /bin/gone: No such file or directory (os error 2)',
    'tool: spawn /bin/text: Permission denied (os error 13)',
  ]);
});

test('an MCP server can be down, late, or answer an error', () => {
  const world = aWorld({
    mcp: [
      {
        name: 's',
        tools: {
          down: [aToolMock({ error: 'down' })],
          late: [aToolMock({ error: 'timeout', delayMs: 5 })],
          bad: [aToolMock({ error: { code: -32602, message: 'no' } })],
        },
        resources: {},
      },
    ],
  });
  expect(['down', 'late', 'bad'].map((tool) => told(world.answer(call(tool)).reply))).toEqual([
    'mcp: server `s` is not there',
    'mcp: server `s` did not answer in time',
    'mcp: server `s` answered error -32602: no',
  ]);
  expect(world.answer(call('late')).delayUs).toBe(5000);
});
