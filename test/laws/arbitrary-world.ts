import fc from 'fast-check';
import type { Policy } from '../../src/types/policy.ts';
import type { Json } from '../../src/types/json.ts';
import type {
  BodyMatch,
  HttpMatch,
  HttpReply,
  McpError,
  McpToolReply,
  MockHttp,
  MockReplies,
  ProcessReply,
} from '../../src/types/mock.ts';
import type { Turn, TurnFault, Variant } from '../../src/types/scenario.ts';
import type { Approval, World } from '../../src/types/scenarios/world.ts';
import type { McpServer } from '../../src/types/workflow.ts';
import { rarely } from './arbitrary-nodes.ts';

const delayMs = fc.constantFrom(0, 0, 0, 1, 40, 700, 3000);

/** What nodes name: most of it is there. */
export const arbitraryWorld: fc.Arbitrary<World> = fc.record({
  env: fc.constantFrom({}, { HOME: '/home', TOKEN: 'secret' }, { HOME: '' }),
  files: rarely(
    fc.constant({}),
    {
      '/data': { kind: 'dir' },
      '/data/a.txt': { kind: 'file', content: '{"label":"a","file":"/data/b.txt"}' },
      '/data/b.txt': { kind: 'file', content: 'b' },
      '/data/link': { kind: 'link', target: '/secret/key' },
      '/secret/key': { kind: 'file', content: 'k' },
    } satisfies World['files'],
    8,
  ),
  http: fc.array(http(), { maxLength: 4, size: 'max' }),
  processes: processes(),
  mcp: mcp(),
  approvals: fc.dictionary(
    fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4'),
    fc.record<Approval>({
      decision: fc.constantFrom('resume', 'resume', 'pause'),
      afterMs: fc.constantFrom(0, 50, 60_000),
    }),
    { noNullPrototype: true },
  ),
});

function http(): fc.Arbitrary<MockHttp> {
  const reply = fc
    .record({
      status: fc.constantFrom(200, 200, 204, 404, 503),
      headers: fc.constantFrom({}, { 'Content-Type': 'text/plain' }),
      body: fc.constantFrom('', '{"label":"b"}'),
      delayMs,
      error: rarely(fc.constantFrom<HttpReply['error']>('refused', 'timeout', 'dns'), undefined, 8),
    })
    .map(({ error, ...rest }): HttpReply => (error === undefined ? rest : { ...rest, error }));
  const match = fc.record<HttpMatch>({
    methods: fc.constantFrom<readonly string[]>([], [], ['GET'], ['POST', 'PUT']),
    url: fc.constantFrom('https://a.test/*', 'https://a.test/*', 'https://a.*', 'https://b.test/x', '*'),
    headers: fc.constantFrom({}, {}, {}, { 'x-key': { contains: 'NAME' } }),
    body: fc.constantFrom<BodyMatch>({}, {}, {}, { contains: 'a' }, { json: {} }, { equals: '' }),
  });
  return withReplies(reply).chain((replies) => match.map((drawn) => ({ match: drawn, ...replies })));
}

function processes(): fc.Arbitrary<World['processes']> {
  const reply = fc
    .record({
      exitCode: fc.constantFrom(0, 0, 2),
      stdout: fc.constantFrom('out', 'other'),
      stderr: fc.constant(''),
      delayMs,
      hangs: rarely(fc.constant(true), false, 12),
      signal: rarely(fc.constant(15), undefined, 12),
      error: rarely(fc.constantFrom<ProcessReply['error']>('not_found', 'not_executable'), undefined, 12),
    })
    .map(
      ({ signal, error, ...rest }): ProcessReply => ({
        ...rest,
        ...(signal === undefined ? {} : { signal }),
        ...(error === undefined ? {} : { error }),
      }),
    );
  const slow = { match: { command: '/bin/slow', args: [], argsContain: [] } };
  const one = { match: { command: '/bin/tool', argsContain: ['x'] } };
  const any = { match: { command: '/bin/tool', argsContain: [] } };
  return fc.tuple(withReplies(reply), withReplies(reply), withReplies(reply)).map(([first, second, third]) => [
    { ...one, ...first, times: 1 },
    { ...any, ...second },
    { ...slow, ...third },
  ]);
}

function mcp(): fc.Arbitrary<World['mcp']> {
  const error = rarely(
    fc.constantFrom<McpError | undefined>('down', 'timeout', { code: -32602, message: 'no' }),
    undefined,
    10,
  );
  const reply = fc
    .record({
      content: fc.constantFrom('found', 'broke'),
      structured: fc.constantFrom<Json>({ label: 'a' }, null),
      isError: rarely(fc.constant(true), false, 4),
      delayMs,
      error,
    })
    .map(({ error: drawn, ...rest }): McpToolReply => (drawn === undefined ? rest : { ...rest, error: drawn }));
  const always = { afterLast: 'repeat', times: null } as const;
  return fc
    .tuple(withReplies(reply), withReplies(reply), withReplies(reply), error)
    .map(([find, more, broken, down]) => [
      {
        name: 'docs',
        ...(down === undefined ? {} : { error: down }),
        tools: { find: [{ args: { word: 'a' }, ...find }, more], break: [broken] },
        resources: {
          'res://a': [
            {
              ...always,
              replies: [
                { contents: ['text'], delayMs: 0 },
                { contents: [], delayMs: 40 },
              ],
            },
          ],
        },
      },
    ]);
}

/** One reply for all, or several in order: repeated, failing or left to the next when they are used up. */
function withReplies<R>(reply: fc.Arbitrary<R>): fc.Arbitrary<MockReplies<R>> {
  return fc.record({
    replies: fc.array(reply, { minLength: 1, maxLength: 3 }),
    afterLast: fc.constantFrom('repeat', 'repeat', 'error'),
    times: rarely(fc.constantFrom(1, 2), null, 4),
  });
}

/** Declared MCP servers. */
export const arbitraryServers: fc.Arbitrary<readonly McpServer[]> = fc.constantFrom<readonly McpServer[]>(
  [],
  [server('docs', ['*'], ['*'])],
  [server('docs', ['*'], ['*'])],
  [server('docs', ['*'], ['*'])],
  [server('docs', ['find', 'break'], ['res://a'])],
  [server('docs', ['find'], [])],
  [server('docs', ['find'], []), server('more', [], [])],
);

function server(name: string, allowTools: readonly string[], allowResources: readonly string[]): McpServer {
  return { name, command: ['serve'], allowTools, allowResources, env: {} };
}

/** None, or one that allows some of what nodes do. */
export const arbitraryPolicy: fc.Arbitrary<Policy | null> = rarely(
  fc.record({
    fs: fc.record({
      read: fc.constantFrom<readonly string[]>([], ['/data/**'], ['/**'], ['/**'], ['/**']),
      write: fc.constantFrom<readonly string[]>([], ['/tmp/**'], ['/**'], ['/**'], ['/**']),
      delete: fc.constant([]),
      list: fc.constant([]),
    }),
    env: fc.record({ readKeys: fc.constantFrom<readonly string[]>([], ['HOME'], ['*'], ['*'], ['*']) }),
    http: fc.record({
      urls: fc.constantFrom<readonly string[]>([], ['https://a.test/**'], ['*'], ['*'], ['*']),
      methods: fc.constantFrom<readonly string[]>([], [], [], [], ['GET']),
    }),
    shell: fc.record({ commands: fc.constantFrom<readonly string[]>([], ['/bin/tool'], ['/bin/**'], ['/bin/**']) }),
    mcp: fc.record({
      servers: fc.constant([]),
      tools: fc.constantFrom<readonly string[]>([], ['find'], ['*'], ['*'], ['*']),
      resources: fc.constantFrom<readonly string[]>([], ['*'], ['*'], ['*']),
    }),
  }),
  null,
  3,
);

const CONTENTS = [
  '{"label":"a","file":"/data/a.txt"}',
  '{"label":"b","file":"/secret/key"}',
  '{"label":7}',
  '"/data/a.txt"',
  '[1,2]',
  'null',
  'a',
  '{"a":',
  '',
  '{"action":"final","result":{"label":"b"}}',
  'ok: {"action":"final"}',
  '{"action":"tool","tool":"read_file","args":{"path":"/data/a.txt"}}',
  '{"action":"tool","tool":"read_file","args":{"path":"/secret/key"}}',
  '{"action":"tool","tool":"write_file","args":{"path":"/tmp/x","content":"hi"}}',
  '{"action":"tool","tool":"read_env","args":{"key":"TOKEN"}}',
  '{"action":"tool","tool":"http_request","args":{"method":"GET","url":"https://a.test/y"}}',
  '{"action":"tool","tool":"shell_run","args":{"command":"/bin/tool","args":["x",1]}}',
  '{"action":"tool","tool":"call_mcp_tool","args":{"tool":"find"}}',
  '{"action":"tool","tool":"gone"}',
  '{"action":"sing"}',
];

const fault: fc.Arbitrary<TurnFault | undefined> = rarely(
  fc.constantFrom<TurnFault>(
    { type: 'backend_down', config: {} },
    { type: 'timeout', config: { delayMs: 400 } },
    { type: 'rate_limited', config: {} },
    { type: 'delay', config: { delayMs: 900 } },
    { type: 'truncated', config: { chars: 5 } },
    { type: 'empty', config: {} },
    { type: 'malformed', config: {} },
  ),
  undefined,
  8,
);

const variant: fc.Arbitrary<Variant> = fc
  .record({
    content: fc.constantFrom(...CONTENTS),
    promptTokens: fc.constantFrom(0, 3, 10),
    completionTokens: fc.constantFrom(0, 2, 7),
    weight: fc.constantFrom(1, 2, 0.3),
    fault,
  })
  .map(({ fault: drawn, ...rest }) => (drawn === undefined ? rest : { ...rest, fault: drawn }));

/** Turns of the queue and of nodes that may ask a model. */
export function arbitraryTurns(): fc.Arbitrary<readonly Turn[]> {
  const turn = fc.record({
    node: rarely(fc.constantFrom('n0', 'n1', 'n2', 'n3'), undefined, 4),
    repeat: fc.boolean(),
    named: fc.boolean(),
    variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
  });
  return fc.array(turn, { maxLength: 12, size: 'max' }).map((turns) =>
    turns.map(({ node, repeat, named, variants }, at) => ({
      ...(named ? { id: `t${at}` } : {}),
      ...(node === undefined ? {} : { node }),
      repeat: repeat && node !== undefined,
      variants,
    })),
  );
}
