import { NOTHING } from './a-disk.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Effect } from '../../../src/effects/effect.ts';
import { createMcpEffect, type McpEffectOptions } from '../../../src/effects/granted/mcp-effect.ts';
import { McpLinks } from '../../../src/effects/granted/mcp-links.ts';
import type { McpRequest } from '../../../src/plugin/mcp-request.ts';
import type { Permissions } from '../../../src/types/permissions.ts';
import type { McpServer } from '../../../src/types/workflow.ts';
import { traceHeaders } from '../../../src/values/trace-context.ts';
import { told } from '../a-world.ts';
import { aCall, aToolCall } from './an-mcp-server.ts';
import { type McpHttpServer, startMcpHttpServer } from './fixtures/mcp-http-server.ts';

/** A busy machine may take its time. */
const LOADED = { timeout: 30_000 };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function aServer(options?: Parameters<typeof startMcpHttpServer>[0]): Promise<McpHttpServer> {
  const server = await startMcpHttpServer(options);
  opened.unshift(server);
  return server;
}

function anEffect(
  url: string,
  parts: Partial<McpServer> = {},
  permissions: Partial<Permissions> = {},
  more: McpEffectOptions['limits'] = {},
): Effect<McpRequest> {
  const shop = { name: 'shop', command: [], url, allowTools: [], allowResources: [], env: {}, ...parts };
  const granted = { ...NOTHING, net: ['127.0.0.1', 'localhost'], ...permissions };
  const limits = { startMs: 5000, backoffMs: 1, ...more };
  const effect = createMcpEffect(granted, [shop], { TOKEN: 'hunter22' }, { limits });
  opened.unshift(effect);
  return effect;
}

async function ask(effect: Effect<McpRequest>, request: McpRequest, signal?: AbortSignal): Promise<unknown> {
  return told((await effect.perform(request, aCall(signal))).reply);
}

const COUNTED = (count: number): unknown =>
  expect.objectContaining({ content: [{ type: 'text', text: String(count) }] });

test.each([true, false])('one session serves all requests (plain answers: %s)', async (json) => {
  const server = await aServer({ json });
  const effect = anEffect(server.url);
  await Promise.all([1, 2, 3].map(() => ask(effect, aToolCall('count'))));
  expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(4));
  expect(new Set(server.seen.slice(2).map((headers) => headers['mcp-session-id'])).size).toBe(1);
});

test('a server is told which trial calls, beside what it is asked, where the run says so', async () => {
  const { url } = await aServer();
  const called = async (traceRun?: string): Promise<unknown> => {
    const shop = { name: 'shop', command: [], url, allowTools: [], allowResources: [], env: {} };
    const permissions = { ...NOTHING, net: ['127.0.0.1'] };
    const effect = createMcpEffect(permissions, [shop], {}, { traceRun });
    opened.unshift(effect);
    return ask(effect, aToolCall('meta'));
  };
  const { traceparent, baggage } = traceHeaders('nightly', 'shop', 0);
  expect(await called('nightly')).toMatchObject({ content: [{ text: `${traceparent} ${baggage}` }] });
  expect(await called()).toMatchObject({ content: [{ text: 'undefined undefined' }] });
});

test('scenarios of different folders share the session of one address', async () => {
  const server = await aServer();
  const links = new McpLinks();
  opened.unshift(links);
  const shop = { name: 'shop', command: [], url: server.url, allowTools: [], allowResources: [], env: {} };
  for (const [index, scenarioDir] of ['/a', '/b'].entries()) {
    const granted = { ...NOTHING, net: ['127.0.0.1'] };
    const effect = createMcpEffect(granted, [shop], {}, { links, scenarioDir });
    expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(index + 1));
  }
});

test('declared headers go out with their secrets with every request, and come back without', async () => {
  const server = await aServer();
  const headers = { Authorization: 'Bearer {{secret:TOKEN}}' };
  const effect = anEffect(server.url, { headers }, { env: ['TOKEN'] });
  expect(await ask(effect, aToolCall('echo', { said: 'hunter22' }))).toEqual(
    expect.objectContaining({ structured: { echoed: { said: '[secret TOKEN]' } } }),
  );
  expect(server.seen.map(({ authorization }) => authorization)).toEqual(server.seen.map(() => 'Bearer hunter22'));
});

test('an aborted request is cancelled at the server and gives its connection back', async () => {
  const server = await aServer();
  const effect = anEffect(server.url);
  await ask(effect, aToolCall('count'));
  const end = new AbortController();
  const answer = ask(effect, aToolCall('hang'), end.signal);
  await vi.waitFor(() => expect(server.called).toContain('hang'), LOADED);
  end.abort();
  expect(await answer).toBe('mcp: server `shop` did not answer in time');
  await vi.waitFor(() => expect(server.cancelled()).toBe(1), LOADED);
  expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(3));
});

test('a server that cuts a request off is an error once, and is connected again', async () => {
  const server = await aServer();
  const effect = anEffect(server.url);
  await ask(effect, aToolCall('count'));
  const answer = ask(effect, aToolCall('hang'));
  await vi.waitFor(() => expect(server.called).toContain('hang'), LOADED);
  server.cut();
  expect(await answer).toBe('mcp: server `shop` closed the connection before it answered');
  expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(1));
});

test('a server that has forgotten the session gets a new one', async () => {
  const server = await aServer();
  const effect = anEffect(server.url);
  await ask(effect, aToolCall('count'));
  server.forget();
  expect(await ask(effect, aToolCall('count'))).toBe('mcp: server `shop` has forgotten the session before it answered');
  expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(1));
});

test('a server that is not there is broken after three more attempts', async () => {
  const server = await startMcpHttpServer();
  await server.close();
  expect(await ask(anEffect(server.url), aToolCall('count'))).toMatch(
    /^broken: MCP server shop cannot be reached: connect .*Connection refused \(os error 111\)\. It was tried again 3 times without answering/,
  );
});

test('a server that is restarted costs the calls that were out, and no others, however many attempts it takes', async () => {
  const first = await startMcpHttpServer();
  const effect = anEffect(first.url);
  await ask(effect, aToolCall('count'));
  await first.close();
  // Attempts that are refused: more than a server gets that has never answered.
  expect(await ask(effect, aToolCall('count'))).toMatch(/^mcp: server `shop` cannot be reached/);
  const waiting = [1, 2, 3].map(() => ask(effect, aToolCall('count')));
  await after(200);
  await aServer({ port: first.port });
  expect(await Promise.all(waiting)).toEqual(expect.arrayContaining([COUNTED(1), COUNTED(2), COUNTED(3)]));
});

test('one that stays away is given up for a while, and then tried again', async () => {
  const first = await startMcpHttpServer();
  const effect = anEffect(first.url, {}, {}, { patienceMs: 50, pauseMs: 100 });
  await ask(effect, aToolCall('count'));
  await first.close();
  await ask(effect, aToolCall('count'));
  expect(await ask(effect, aToolCall('count'))).toMatch(/^broken: .*It was tried again for 0.05 s without answering/);
  await aServer({ port: first.port });
  await vi.waitFor(async () => expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(1)), LOADED);
});

test('a result of more than 1 MiB is an error, and the session goes on', async () => {
  const effect = anEffect((await aServer()).url);
  expect(await ask(effect, aToolCall('huge', { bytes: 1 << 20 }))).toMatch(/^mcp: .*at most 1048576 are accepted$/);
  expect(await ask(effect, aToolCall('count'))).toEqual(COUNTED(2));
});

test('nothing is connected without the grant, and no private address behind a name that was not granted', async () => {
  const server = await aServer();
  const refused = anEffect(server.url, {}, { net: ['tools.example'] });
  expect(refused.refusal(aToolCall('count'))).toContain(`--allow-net=127.0.0.1:${server.port}`);
  expect(await ask(refused, aToolCall('count'))).toMatch(/^broken: .*--allow-net/);
  const shop = {
    name: 'shop',
    command: [],
    url: `http://tools.example:${server.port}/mcp`,
    allowTools: [],
    allowResources: [],
    env: {},
  };
  const inside = createMcpEffect(
    { ...NOTHING, net: ['*.example', '*'] },
    [shop],
    {},
    {
      lookup: (_, options, callback) =>
        options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    },
  );
  opened.unshift(inside);
  expect(inside.refusal(aToolCall('count'))).toBeNull();
  expect(await ask(inside, aToolCall('count'))).toMatch(
    /^broken: MCP server shop cannot be reached: .*leads to a loopback address/,
  );
  expect(server.seen).toEqual([]);
});

test('a page that is no MCP server, an address that takes no messages, and a redirect to elsewhere, are broken', async () => {
  const elsewhere = await aServer();
  const page = createServer((request, response) => {
    if (request.url === '/sse') response.writeHead(405).end();
    else if (request.url === '/away') response.writeHead(307, { location: elsewhere.url }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  opened.unshift({ close: () => new Promise((resolve) => page.close(() => resolve())) });
  const at = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  expect(await ask(anEffect(`${at}/`), aToolCall('count'))).toMatch(
    /^broken: MCP server shop could not be initialised: .*content type/,
  );
  expect(await ask(anEffect(`${at}/sse`), aToolCall('count'))).toMatch(
    /^broken: MCP server shop could not be initialised: .*; it answered HTTP 405: .*SSE alone is not spoken here\.$/,
  );
  expect(await ask(anEffect(`${at}/away`), aToolCall('count'))).toMatch(/^broken: .*[Rr]edirect/);
  expect(elsewhere.seen).toEqual([]);
});
