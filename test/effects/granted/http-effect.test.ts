import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpEffect } from '../../../src/effects/granted/http-effect.ts';
import { openConnection } from '../../../src/effects/granted/http/http-exchange.ts';
import { HTTP_LIMITS } from '../../../src/effects/granted/http/http-limits.ts';
import { httpFailure } from '../../../src/effects/granted/http/http-failure.ts';
import type { CanonicalUrl } from '../../../src/policy/canonical-url.ts';
import { anHttpServer, aRawServer } from './an-http-server.ts';
import { aCall, aRequest, askHttp, permissions, told } from './ask-http.ts';

test('a response has the shape that mocks give', async () => {
  const server = await anHttpServer((_, response) => {
    response.sendDate = false;
    response.writeHead(201, [
      ['X-Two', 'first'],
      ['x-two', 'last'],
      ['__proto__', 'odd'],
      ['Content-Length', '6'],
    ]);
    response.end('grüß');
  });
  expect(await askHttp({ url: `${server.origin}/a/%7eb?q=1#part` })).toEqual({
    status: 201,
    headers: Object.fromEntries([
      ['x-two', 'last'],
      ['__proto__', 'odd'],
      ['content-length', '6'],
      ['connection', 'close'],
    ]),
    body: 'grüß',
    bytes: 6,
  });
  expect(server.seen).toEqual([
    {
      line: 'GET /a/~b?q=1',
      headers: { host: `127.0.0.1:${server.port}`, connection: 'close', accept: '*/*', 'user-agent': 'passk' },
      body: '',
    },
  ]);
});

test('interim responses that nobody asked for are passed over, also in pieces and on a connection that stays', async () => {
  const server = await anHttpServer((request, response) => {
    if (request.url === '/continue') response.writeContinue();
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.end('ok');
  });
  const ok = expect.objectContaining({ status: 200, body: 'ok' });
  expect(await askHttp({ url: `${server.origin}/continue`, method: 'POST', body: '{}' })).toEqual(ok);
  const raw = await aRawServer((socket) => {
    const bytes = `${'HTTP/1.1 100 Continue\r\nx: y\r\n\r\n'.repeat(3)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`;
    const parts = [...bytes];
    const write = (): void => void (parts.length > 0 && socket.write(parts.shift() ?? '', () => setImmediate(write)));
    write();
  });
  expect(await askHttp({ url: raw.origin })).toEqual(ok);
  const connection = await openConnection(server.origin, {
    lookup,
    refuse: () => null,
    limits: HTTP_LIMITS,
    isKept: true,
  });
  const url = { origin: server.origin, target: '/continue' } as CanonicalUrl;
  for (let time = 0; time < 2; time++) {
    const hop = { method: 'GET', url, headers: {}, body: null };
    const response = await connection.send(hop, new AbortController().signal);
    expect(response).toMatchObject({ status: 200, body: Buffer.from('ok') });
  }
  await connection.close();
  // What is neither stays what it was.
  for (const text of ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'HTTP', '']) {
    const other = await aRawServer((socket) => socket.end(text));
    expect(await askHttp({ url: other.origin })).toMatch(/^tool: /);
  }
});

test('a body goes out as JSON unless a header says otherwise', async () => {
  const server = await anHttpServer((_, response) => response.end());
  await askHttp({ url: server.origin, method: 'post', body: '{"a":"ü"}' });
  await askHttp({ url: server.origin, method: 'PUT', body: 'a', headers: { 'Content-Type': 'text/plain' } });
  expect(server.seen.map(({ line, body, headers }) => [line, body, headers['content-type']])).toEqual([
    ['POST /', '{"a":"ü"}', 'application/json'],
    ['PUT /', 'a', 'text/plain'],
  ]);
});

test('bytes that are no UTF-8 are replaced, a byte order mark stays', async () => {
  const server = await anHttpServer((_, response) => response.end(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff])));
  expect(await askHttp({ url: server.origin })).toMatchObject({ body: '\ufeffa\ufffd', bytes: 5 });
});

test('a body is read in the charset that its type names', async () => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'text/plain; charset="ISO-8859-1"');
    response.end(Buffer.from('grüß', 'latin1'));
  });
  expect(await askHttp({ url: server.origin })).toMatchObject({ body: 'grüß', bytes: 4 });
});

test('compressed bodies are read as what they hold', async () => {
  const server = await anHttpServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    const text = Buffer.from('plain text');
    const packed = new Map([
      ['gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
      ['gzip,br', brotliCompressSync(gzipSync(text))],
    ]);
    response.setHeader('content-encoding', name).end(packed.get(name) ?? text);
  });
  const bodies = ['gzip', 'deflate', 'br', 'gzip,br', 'identity', 'zip', 'gzip,gzip,gzip,gzip'].map((name) =>
    askHttp({ url: `${server.origin}/${name}` }),
  );
  const plain = expect.objectContaining({ body: 'plain text', bytes: 10 });
  const place = `tool: request to ${server.origin}: the response`;
  expect(await Promise.all(bodies)).toEqual([
    ...Array.from({ length: 5 }, () => plain),
    `${place}'s content-encoding is not gzip, deflate or br`,
    `${place} has more than 3 content encodings`,
  ]);
  expect(await askHttp({ url: `${server.origin}/gzip`, method: 'HEAD' })).toMatchObject({ body: '', bytes: 0 });
});

test('what cannot be sent is told before anything is sent', async () => {
  const server = await anHttpServer((_, response) => response.end());
  const url = server.origin;
  const answers = [
    { url: 'ftp://127.0.0.1/' },
    { url: 'http://a@127.0.0.1/' },
    { url, method: 'GET / HTTP/1.1\r\nX:' },
    { url, method: 'CONNECT' },
    { url, body: 'x'.repeat(1024 * 1024 + 1) },
    { url, headers: { 'X-A': 'a\r\nX-B: b' } },
    { url, headers: { 'X-A': 'a\u0000' } },
    { url, headers: { 'X-A': 'ŧ' } },
    { url, headers: { 'X A': 'a' } },
    { url, headers: { Host: 'other.example' } },
    { url, headers: { 'transfer-encoding': 'chunked' } },
    { url, headers: { 'X-A': 'a'.repeat(65 * 1024) } },
  ].map((request) => askHttp(request));
  expect(await Promise.all(answers)).toMatchInlineSnapshot(`
    [
      "tool: URL must start with http:// (got ftp://127.0.0.1/), or with https://",
      "tool: http://*@127.0.0.1/: the URL carries user information before its host",
      "tool: the method has a character that cannot be sent",
      "tool: the method CONNECT is never sent",
      "tool: request body 1048577 bytes exceeds cap of 1048576",
      "tool: header \`X-A\` has a line break or a character that cannot be sent",
      "tool: header \`X-A\` has a line break or a character that cannot be sent",
      "tool: header \`X-A\` has a line break or a character that cannot be sent",
      "tool: a header name has a character that cannot be sent",
      "tool: header \`Host\` is set by passk and cannot be declared",
      "tool: header \`transfer-encoding\` is set by passk and cannot be declared",
      "tool: request headers exceed cap of 65536 bytes",
    ]
  `);
  expect(server.seen).toEqual([]);
});

test('what goes wrong on the way is said in the words of mocks', async () => {
  const gone = await aRawServer((socket) => socket.resetAndDestroy());
  const silent = await aRawServer((socket) => socket.end());
  const half = await aRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
  const cut = await aRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.resetAndDestroy());
  });
  const noise = await aRawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
  const liar = await aRawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n'),
  );
  const both = await aRawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  );
  const garbled = await aRawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope'),
  );
  const shut = await aRawServer(() => undefined);
  const named = new Map([gone, silent, half, cut, noise, liar, both, garbled, shut].map(({ port }, at) => [port, at]));
  const answers = [gone, silent, half, cut, noise, liar, both, garbled].map(({ origin }) => askHttp({ url: origin }));
  answers.push(
    askHttp({ url: `https://127.0.0.1:${noise.port}` }),
    askHttp({ url: 'http://127.0.0.1:1' }),
    askHttp({ url: 'http://passk.invalid', net: ['passk.invalid'] }),
    askHttp({ url: shut.origin, options: { limits: { timeoutMs: 50 } } }),
    askHttp({ url: shut.origin, signal: AbortSignal.timeout(50) }),
    askHttp({ url: shut.origin, signal: AbortSignal.abort() }),
  );
  const text = JSON.stringify(await Promise.all(answers), null, 2);
  expect(
    text.replace(/127\.0\.0\.1:(\d+)/g, (_, port) => `server-${named.get(Number(port)) ?? 'none'}`),
  ).toMatchInlineSnapshot(`
    "[
      "tool: read http://server-0: connection reset before the reply",
      "tool: read http://server-1: connection reset before the reply",
      "tool: read http://server-2: connection closed in the middle of the reply",
      "tool: read http://server-3: connection closed in the middle of the reply",
      "tool: read http://server-4: the response is not valid HTTP",
      {
        "status": 200,
        "headers": {
          "content-length": "2"
        },
        "body": "ok",
        "bytes": 2
      },
      "tool: read http://server-6: the response is not valid HTTP",
      "tool: request to http://server-7: the response body is not what its content-encoding says",
      "tool: secure https://server-4: the TLS handshake failed",
      "tool: connect server-none: Connection refused (os error 111)",
      "tool: resolve passk.invalid:80: failed to lookup address information: Name or service not known",
      "tool: read http://server-8: no answer",
      "tool: read http://server-8: no answer",
      "tool: read http://server-8: no answer"
    ]"
  `);
});

test('a certificate that is refused is told with what is wrong with it', () => {
  const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  expect(httpFailure(expired, 'https://a.example', false).message).toBe(
    'secure https://a.example: the TLS handshake failed (CERT_HAS_EXPIRED)',
  );
});

test('a machine that opens no more connections breaks the trial, and blames nobody who was asked', async () => {
  const full = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  const fails: LookupFunction = (_host, _options, callback) => callback(full, '', 4);
  const effect = createHttpEffect(permissions(['a.example']), {}, { lookup: fails });
  onTestFinished(() => effect.close());
  const { reply } = await effect.perform(aRequest({ url: 'http://a.example/' }), aCall());
  expect(reply).toMatchObject({
    kind: 'broken',
    message: expect.stringMatching(/^request to http:\/\/a\.example: .*ulimit -n/),
  });
});

test('an answer that never ends, drips, or unpacks to too much is cut off at the limit', async () => {
  const endless = await aRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const more = (): boolean => socket.write('x'.repeat(65_536), () => socket.destroyed || setImmediate(more));
    more();
  });
  const drip = await aRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  const flood = await aRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): boolean =>
      socket.write(`x: ${'x'.repeat(1000)}\r\n`, () => socket.destroyed || setImmediate(more));
    more();
  });
  const bomb = await anHttpServer((_, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 << 20))),
  );
  const twice = await anHttpServer((_, response) =>
    response.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipSync(Buffer.alloc(8 << 20)))),
  );
  const full = await anHttpServer((_, response) => response.end('x'.repeat(1 << 20)));
  const over = await anHttpServer((_, response) => response.end('x'.repeat((1 << 20) + 1)));
  const answers = await Promise.all([
    ...[endless, flood, bomb, twice, over].map(({ origin }) => askHttp({ url: origin })),
    askHttp({ url: drip.origin, options: { limits: { timeoutMs: 100 } } }),
  ]);
  expect(answers.map((text) => String(text).replace(/127\.0\.0\.1:\d+/, 'SERVER'))).toMatchInlineSnapshot(`
    [
      "tool: request to http://SERVER: the response body exceeds its limit of 1 MiB",
      "tool: request to http://SERVER: the response headers exceed their limit",
      "tool: request to http://SERVER: the response body exceeds its limit of 1 MiB",
      "tool: request to http://SERVER: the response body exceeds its limit of 1 MiB",
      "tool: request to http://SERVER: the response body exceeds its limit of 1 MiB",
      "tool: read http://SERVER: no answer",
    ]
  `);
  expect(await askHttp({ url: full.origin })).toMatchObject({ status: 200, bytes: 1 << 20 });
});

test('headers of a response may take 64 KiB together', async () => {
  const server = await anHttpServer((request, response) => {
    const names = Array.from({ length: Number(request.url?.slice(1)) }, (_, at) => `x-${at}`);
    response.writeHead(200, Object.fromEntries(names.map((name) => [name, 'x'.repeat(1000)]))).end();
  });
  expect(await askHttp({ url: `${server.origin}/60` })).toMatchObject({ status: 200 });
  expect(await askHttp({ url: `${server.origin}/66` })).toBe(
    `tool: request to ${server.origin}: the response headers exceed their limit`,
  );
});

test('nothing that goes wrong inside rejects', async () => {
  const effect = createHttpEffect(permissions(['127.0.0.1']), {});
  const recheck = (): never => {
    throw new Error('oops');
  };
  const server = await anHttpServer((_, response) => response.writeHead(302, { location: '/next' }).end());
  expect(told(await effect.perform(aRequest({ url: server.origin }), aCall({ recheck })))).toBe(
    'broken: The HTTP request failed inside passk: Error: oops',
  );
  await effect.close();
});

test('closing ends what is under way and leaves nothing open', async () => {
  const silent = await aRawServer(() => undefined);
  const effect = createHttpEffect(permissions(['127.0.0.1']), {});
  const before = sockets();
  const answers = Array.from({ length: 20 }, () => effect.perform(aRequest({ url: silent.origin }), aCall()));
  await expect.poll(sockets, { timeout: 60_000 }).toBeGreaterThan(before);
  await effect.close();
  expect(new Set((await Promise.all(answers)).map(told)).size).toBe(1);
  await expect.poll(sockets, { timeout: 60_000 }).toBe(before);
  expect(told(await effect.perform(aRequest({ url: silent.origin }), aCall()))).toBe(
    'broken: The request came after the run had ended.',
  );
});

function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|TLSWrap|ConnectWrap/.test(kind)).length;
}
