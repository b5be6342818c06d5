import { NOTHING } from './a-disk.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Effect } from '../../../src/effects/effect.ts';
import { createMcpEffect } from '../../../src/effects/granted/mcp-effect.ts';
import type { Answer } from '../../../src/plugin/request.ts';
import type { McpRequest } from '../../../src/plugin/mcp-request.ts';
import type { Json } from '../../../src/types/json.ts';
import type { McpToolReply } from '../../../src/types/mock.ts';
import { aWorld, told } from '../a-world.ts';
import { aCall, aResourceRead, aServer, aToolCall, MAY_RUN_NODE } from './an-mcp-server.ts';
import { startMcpHttpServer } from './fixtures/mcp-http-server.ts';
import { startNewHttpServer } from './fixtures/mcp-new-http-server.ts';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
/** A program of ours on the current SDK, which knows the newest revision. */
const NEW_SERVER = [process.execPath, path.join(FIXTURES, 'mcp-new-tools.mjs')];

interface Subject {
  readonly ask: (request: McpRequest) => Promise<Answer> | Answer;
  readonly close: () => Promise<void>;
}

const SUBJECTS: readonly (readonly [string, () => Promise<Subject>])[] = [
  ['a server over stdio', async () => granted(createMcpEffect(MAY_RUN_NODE, [aServer('good')], {}))],
  ['a server over HTTP with streams', () => overHttp(false)],
  ['a server over HTTP with plain answers', () => overHttp(true)],
  ['a server of the newest revision alone over stdio', async () => started([...NEW_SERVER, 'reject'])],
  ['a server of the newest revision alone over HTTP', () => newOverHttp('reject')],
  ['a mock', async () => mocked()],
];

describe.each(SUBJECTS)('%s', (_, open) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => subject.close());
  const ask = async (request: McpRequest): Promise<unknown> => told((await subject.ask(request)).reply);

  test('gives content and structured content of a tool, byte for byte', async () => {
    const args = { text: 'Zürich \u202e "quoted" \\ \u0000', list: [1, null, { a: false }] };
    expect(await ask(aToolCall('echo', args))).toEqual({
      tool: 'echo',
      server: 'shop',
      content: [{ type: 'text', text: JSON.stringify(args) }],
      is_error: false,
      structured: { echoed: args },
    });
  });

  test('a result that calls itself an error is a result', async () => {
    expect(await ask(aToolCall('fail'))).toEqual({
      tool: 'fail',
      server: 'shop',
      content: [{ type: 'text', text: 'no such order' }],
      is_error: true,
      structured: null,
    });
  });

  test('content other than text passes through with all its keys', async () => {
    expect(await ask(aToolCall('image'))).toEqual({
      tool: 'image',
      server: 'shop',
      content: [{ type: 'image', data: 'AAEC', mimeType: 'image/png', _meta: { 'shop/depth': 3 } }],
      is_error: false,
      structured: null,
    });
  });

  test('gives texts and blobs of a resource', async () => {
    expect([await ask(aResourceRead('note:text')), await ask(aResourceRead('note:blob'))]).toEqual([
      { uri: 'note:text', server: 'shop', contents: [{ uri: 'note:text', mimeType: 'text/plain', text: 'hello' }] },
      { uri: 'note:blob', server: 'shop', contents: [{ uri: 'note:blob', blob: 'AAEC' }] },
    ]);
  });

  test('an error of the protocol is an error of category mcp', async () => {
    expect(await ask(aToolCall('gone'))).toBe('mcp: server `shop` answered error -32602: Tool gone not found');
  });

  test('a name that looks alike is another name', async () => {
    expect(await ask(aToolCall('есho'))).toMatch(
      /^(?:mcp: server `shop` answered error -32602|broken: Nothing answers)/,
    );
  });

  test('a server that is not declared is an error of the workflow', async () => {
    expect(await ask({ ...aToolCall('echo'), server: 'bank' })).toBe(
      'workflow: unknown mcp server `bank`; configured: [shop]',
    );
  });

  test('a request without a server goes to the only one', async () => {
    expect(await ask({ ...aToolCall('fail'), server: null })).toEqual(expect.objectContaining({ server: 'shop' }));
  });
});

/** What a server on the current SDK is spoken to as, and whatever else there is. */
test.each([
  ['over stdio', () => started([...NEW_SERVER, 'reject'])],
  ['over stdio, to a server that knows older ones, too', () => started([...NEW_SERVER, 'serve'])],
  ['over HTTP', () => newOverHttp('reject')],
  ['over HTTP, to a server that knows older ones, too', () => newOverHttp('stateless')],
])('the newest revision is spoken %s', async (_, open) => {
  const subject = await open();
  const answer = told((await subject.ask(aToolCall('revision'))).reply);
  await subject.close();
  expect(answer).toMatchObject({ content: [{ text: '2026-07-28' }] });
});

/** Servers on the official SDK for Python, of both major versions. */
describe.each([
  ['mcp 1', 'python-langchain', 'python-langchain'],
  ['mcp 2', 'python-pydantic-ai', 'pydantic-ai'],
])('a server on %s for Python', (_, folder, peer) => {
  const python = fileURLToPath(new URL(`../../../.passk/${folder}/bin/python3`, import.meta.url));
  const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes(peer);

  test.skipIf(!existsSync(python) && !required)('answers', async () => {
    const subject = started([python, path.join(FIXTURES, 'mcp_python_server.py')]);
    const answer = told((await subject.ask(aToolCall('add', { left: 2, right: 3 }))).reply);
    await subject.close();
    expect(answer).toMatchObject({
      content: [{ type: 'text', text: '5' }],
      structured: { result: 5 },
      is_error: false,
    });
  });
});

function started(command: readonly string[]): Subject {
  const shop = { name: 'shop', command, allowTools: [], allowResources: [], env: {} };
  return granted(createMcpEffect({ ...NOTHING, run: [command[0] as string] }, [shop], {}));
}

async function newOverHttp(legacy: 'reject' | 'stateless'): Promise<Subject> {
  const server = await startNewHttpServer(legacy);
  return granted(createMcpEffect(...addressed(server)), server.close);
}

function addressed({ url, port }: { readonly url: string; readonly port: number }): Parameters<typeof createMcpEffect> {
  const shop = { name: 'shop', command: [], url, allowTools: [], allowResources: [], env: {} };
  return [{ ...NOTHING, net: [`127.0.0.1:${port}`] }, [shop], {}];
}

function granted(effect: Effect<McpRequest>, close: () => Promise<void> = async () => undefined): Subject {
  return {
    ask: (request) => effect.perform(request, aCall()),
    close: async () => {
      await effect.close();
      await close();
    },
  };
}

async function overHttp(json: boolean): Promise<Subject> {
  const server = await startMcpHttpServer({ json });
  return granted(createMcpEffect(...addressed(server)), server.close);
}

function mocked(): Subject {
  const args = { text: 'Zürich \u202e "quoted" \\ \u0000', list: [1, null, { a: false }] };
  const mock = (reply: Partial<McpToolReply>) => [
    {
      replies: [{ content: [], structured: null, isError: false, delayMs: 0, ...reply }],
      afterLast: 'repeat' as const,
      times: null,
    },
  ];
  const resource = (contents: Json) => [
    { replies: [{ contents, delayMs: 0 }], afterLast: 'repeat' as const, times: null },
  ];
  const world = aWorld({
    mcp: [
      {
        name: 'shop',
        tools: {
          echo: mock({ content: [{ type: 'text', text: JSON.stringify(args) }], structured: { echoed: args } }),
          fail: mock({ content: [{ type: 'text', text: 'no such order' }], isError: true }),
          image: mock({
            content: [{ type: 'image', data: 'AAEC', mimeType: 'image/png', _meta: { 'shop/depth': 3 } }],
          }),
          gone: mock({ error: { code: -32602, message: 'Tool gone not found' } }),
        },
        resources: {
          'note:text': resource([{ uri: 'note:text', mimeType: 'text/plain', text: 'hello' }]),
          'note:blob': resource([{ uri: 'note:blob', blob: 'AAEC' }]),
        },
      },
    ],
  });
  return { ask: (request) => world.answer(request), close: async () => undefined };
}
