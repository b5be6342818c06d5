import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeOptions } from '../../../src/agents/node-hook.ts';

const run = promisify(execFile);

interface Seen {
  readonly line: string;
  readonly host: string | undefined;
  readonly body: string;
}

/** Answers like a proxy: with what it was asked for. */
let proxy: { readonly url: string; readonly seen: Seen[]; close(): void };

beforeEach(async () => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      seen.push({ line: `${request.method} ${request.url}`, host: request.headers.host, body });
      response.end(`via proxy ${request.url}`);
    });
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const { port } = server.address() as AddressInfo;
  proxy = {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
});

afterEach(() => proxy.close());

/** Runs a program in a Node of its own, pointed at the proxy. */
async function node(code: string, type: 'module' | 'commonjs' = 'module'): Promise<string> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], {
    env: { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: nodeOptions(proxy.url, undefined) },
  });
  return stdout.trim();
}

const HOST = 'tools.example';
/** Reads a whole response of `node:http`. */
const READ = `const read = (response) => new Promise((resolve) => { let text = ''; response.on('data', (chunk) => { text += chunk; }).on('end', () => resolve(text)); });`;

test.each([
  ['an address', `fetch('http://${HOST}/a?b=1')`, `GET http://${HOST}/a?b=1`],
  ['an encrypted address', `fetch('https://${HOST}/a')`, `GET https://${HOST}/a`],
  ['a URL', `fetch(new URL('http://${HOST}:8080/a'))`, `GET http://${HOST}:8080/a`],
  ['a request', `fetch(new Request('http://${HOST}/a', { method: 'PUT', body: 'x' }))`, `PUT http://${HOST}/a`],
  [
    'headers',
    `fetch('http://${HOST}/a', { headers: { 'x-key': '1' }, method: 'POST', body: 'x' })`,
    `POST http://${HOST}/a`,
  ],
])('fetch of %s goes through the proxy', async (_, call, line) => {
  const said = await node(`console.log(await (await ${call}).text())`);
  expect(said).toBe(`via proxy ${line.split(' ')[1]}`);
  expect(proxy.seen.map((seen) => [seen.line, seen.host])).toEqual([[line, new URL(line.split(' ')[1] ?? '').host]]);
});

test.each([
  [
    'http.get of an address',
    `import http from 'node:http'`,
    `http.get('http://${HOST}/a?b=1', done)`,
    `GET http://${HOST}/a?b=1`,
  ],
  [
    'get by its name',
    `import { get } from 'node:http'`,
    `get('http://${HOST}/a', { headers: { 'x-key': '1' } }, done)`,
    `GET http://${HOST}/a`,
  ],
  [
    'http.request of options',
    `import http from 'node:http'`,
    `http.request({ host: '${HOST}', port: 8080, path: '/a', method: 'POST' }, done).end('x')`,
    `POST http://${HOST}:8080/a`,
  ],
  [
    'https.get of a URL',
    `import https from 'node:https'`,
    `https.get(new URL('https://${HOST}/a'), done)`,
    `GET https://${HOST}/a`,
  ],
  [
    'https.request with an agent of its own',
    `import https from 'node:https'`,
    `https.request({ hostname: '${HOST}', path: '/a', agent: new https.Agent({ keepAlive: true }) }, done).end()`,
    `GET https://${HOST}/a`,
  ],
])('%s goes through the proxy', async (_, load, call, line) => {
  const said = await node(
    `${load}; ${READ} const done = async (response) => console.log(await read(response)); ${call};`,
  );
  expect(said).toBe(`via proxy ${line.split(' ')[1]}`);
  expect(proxy.seen.map((seen) => seen.line)).toEqual([line]);
});

test('a script that requires its modules goes through the proxy, too', async () => {
  const code = `${READ} const { get } = require('http'); get('http://${HOST}/a', async (r) => console.log(await read(r)));`;
  expect(await node(code, 'commonjs')).toBe(`via proxy http://${HOST}/a`);
});

test('what is meant for the proxy itself goes there as it is', async () => {
  const code = `${READ} import { get } from 'node:http';
    await (await fetch('${proxy.url}/v1/models')).text();
    get('${proxy.url}/tools/quotes/x', async (r) => { await read(r); });`;
  await node(code);
  expect(proxy.seen.map(({ line }) => line)).toEqual(['GET /v1/models', 'GET /tools/quotes/x']);
});

test('options that were set already stay', () => {
  expect(nodeOptions('http://127.0.0.1:1', '--max-old-space-size=64')).toMatch(
    /^--max-old-space-size=64 --import=data:/,
  );
  expect(nodeOptions('http://127.0.0.1:1', '')).toMatch(/^--import=data:\S+$/);
});
