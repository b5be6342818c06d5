import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import type { EffectCall } from '../../../src/effects/effect.ts';
import { anHttpServer } from './an-http-server.ts';
import { askHttp } from './ask-http.ts';

/** Answers one host after the other, as a name server under an attacker's hand would. */
function rebinding(...answers: readonly (readonly string[])[]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const addresses = found.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
  return { lookup, asked };
}

test('redirects are followed by the rules of fetch', async () => {
  const server = await anHttpServer((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status > 0) response.writeHead(status, { location: `done?from=${status}#part` }).end('not read');
    else response.end(request.url);
  });
  for (const method of ['POST', 'PUT', 'HEAD']) {
    for (const status of [301, 302, 303, 307, 308]) {
      await askHttp({ url: `${server.origin}/${status}`, method, body: method === 'HEAD' ? null : 'text' });
    }
  }
  const arrived = server.seen.filter(({ line }) => line.includes('done'));
  expect(
    arrived.map(({ line, body, headers }) => `${line} ${headers['content-type'] ?? '-'} ${body}`),
  ).toMatchInlineSnapshot(`
    [
      "GET /done?from=301 - ",
      "GET /done?from=302 - ",
      "GET /done?from=303 - ",
      "POST /done?from=307 application/json text",
      "POST /done?from=308 application/json text",
      "PUT /done?from=301 application/json text",
      "PUT /done?from=302 application/json text",
      "GET /done?from=303 - ",
      "PUT /done?from=307 application/json text",
      "PUT /done?from=308 application/json text",
      "HEAD /done?from=301 - ",
      "HEAD /done?from=302 - ",
      "HEAD /done?from=303 - ",
      "HEAD /done?from=307 - ",
      "HEAD /done?from=308 - ",
    ]
  `);
  expect(await askHttp({ url: `${server.origin}/304` })).toMatchObject({ status: 304 });
});

test('the sixth redirect is an error, and so is one that leads nowhere', async () => {
  const server = await anHttpServer((request, response) => {
    const location = decodeURIComponent(request.url?.slice(1) ?? '');
    response.writeHead(302, { location: location === 'loop' ? '/loop' : location }).end();
  });
  const to = async (location: string): Promise<string> =>
    String(await askHttp({ url: `${server.origin}/${encodeURIComponent(location)}` })).replaceAll(
      server.origin,
      'SERVER',
    );
  const answers: string[] = [];
  for (const location of ['loop', 'file:///etc/passwd', 'http://u:p@127.0.0.1/', 'http://[', 'javascript:alert(1)']) {
    answers.push(await to(location));
  }
  expect(answers).toMatchInlineSnapshot(`
    [
      "tool: more than 5 redirects",
      "tool: redirect to file:///etc/passwd: the URL must start with http:// or https://",
      "tool: redirect to http://***@127.0.0.1/: the URL carries user information before its host",
      "tool: redirect to http://[: the URL is not valid",
      "tool: redirect to javascript:alert(1): the URL must start with http:// or https://",
    ]
  `);
  expect(server.seen.filter(({ line }) => line === 'GET /loop')).toHaveLength(6);
});

test('the policy of the subject judges each hop, and its denial is what the subject is told', async () => {
  const inside = await anHttpServer((_, response) => response.end('gold'));
  const server = await anHttpServer((_, response) =>
    response.writeHead(307, { location: `${inside.origin}/A/../%7e` }).end(),
  );
  const asked: unknown[] = [];
  const recheck: EffectCall['recheck'] = (request) => {
    asked.push(request);
    return 'http_request: not there';
  };
  const headers = { 'X-Key': '{{secret:KEY}}' };
  const answer = await askHttp({
    url: server.origin,
    method: 'POST',
    body: 'text',
    headers,
    recheck,
    allowEnv: ['KEY'],
    env: { KEY: 'k-1234' },
  });
  expect(answer).toBe('policy denied: http_request: not there');
  expect(asked).toEqual([{ port: 'http', method: 'POST', url: `${inside.origin}/~`, headers, body: 'text' }]);
  expect(inside.seen).toEqual([]);
});

test('a redirect to what is not granted, or to an address that is not public, is not followed', async () => {
  const inside = await anHttpServer((_, response) => response.end('gold'));
  const server = await anHttpServer((request, response) => {
    const location = `http://${request.url?.slice(1)}/`;
    response.writeHead(302, { location }).end();
  });
  const net = ['outside.example', 'granted.example'];
  const targets = [
    `127.0.0.1:${inside.port}`,
    'localhost',
    '169.254.169.254',
    '2130706433',
    '[::ffff:7f00:1]',
    'other.example',
  ];
  const { lookup } = rebinding(['127.0.0.1']);
  const answers: unknown[] = [];
  for (const target of targets) {
    answers.push(await askHttp({ url: `http://outside.example:${server.port}/${target}`, net, options: { lookup } }));
  }
  const shown = (text: unknown): string =>
    String(text).replaceAll(String(inside.port), 'PORT').replaceAll(`:${server.port}`, '');
  expect(answers.map(shown)).toMatchInlineSnapshot(`
    [
      "broken: Redirected by http://outside.example/127.0.0.1:PORT: A request to 127.0.0.1:PORT needs --allow-net=127.0.0.1:PORT.",
      "broken: Redirected by http://outside.example/localhost: A request to localhost needs --allow-net=localhost.",
      "broken: Redirected by http://outside.example/169.254.169.254: A request to 169.254.169.254 needs --allow-net=169.254.169.254.",
      "broken: Redirected by http://outside.example/2130706433: A request to 127.0.0.1 needs --allow-net=127.0.0.1.",
      "broken: Redirected by http://outside.example/[::ffff:7f00:1]: A request to [::ffff:7f00:1] needs --allow-net=[::ffff:7f00:1].",
      "broken: Redirected by http://outside.example/other.example: A request to other.example needs --allow-net=other.example.",
    ]
  `);
  expect(inside.seen).toEqual([]);
});

test('a name cannot lead elsewhere between check and use: every address found is judged', async () => {
  const inside = await anHttpServer((_, response) => response.end('gold'));
  const url = `http://rebind.example:${inside.port}/`;
  const flag = `rebind.example:${inside.port}`;
  const special = ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '0.0.0.0'];
  for (const address of special) {
    for (const found of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
      const { lookup } = rebinding(found);
      expect(await askHttp({ url, net: true, options: { lookup } })).toMatch(`broken: ${flag} leads to `);
    }
  }
  // The first look-up is the only one: an answer that changes later is never asked for.
  const { lookup, asked } = rebinding(['127.0.0.1'], ['169.254.169.254']);
  expect(await askHttp({ url, net: ['rebind.example'], options: { lookup } })).toMatchObject({ body: 'gold' });
  expect(asked).toEqual(['rebind.example']);
  expect(inside.seen).toHaveLength(1);
});

test('a look-up that finds nothing is no host', async () => {
  const { lookup } = rebinding([]);
  expect(await askHttp({ url: 'http://empty.example', net: true, options: { lookup } })).toBe(
    'tool: resolve empty.example:80: failed to lookup address information: Name or service not known',
  );
});

test('what proves who asks stays behind when a redirect leaves the origin', async () => {
  const other = await anHttpServer((_, response) =>
    response.writeHead(307, { location: `${first.origin}/back` }).end(),
  );
  const first = await anHttpServer((request, response) => {
    if (request.url === '/back') response.end('back');
    else response.writeHead(307, { location: request.url === '/' ? '/same' : other.origin }).end();
  });
  await askHttp({
    url: first.origin,
    headers: { Authorization: 'Basic eA==', cookie: 'a=b', 'X-Key': '{{secret:KEY}}', 'X-Other': 'kept' },
    allowEnv: ['KEY'],
    env: { KEY: 'k-1234' },
  });
  const told = [...first.seen, ...other.seen].map(({ line, headers }) => [
    line,
    headers.authorization,
    headers.cookie,
    headers['x-key'],
    headers['x-other'],
  ]);
  expect(told).toEqual([
    ['GET /', 'Basic eA==', 'a=b', 'k-1234', 'kept'],
    ['GET /same', 'Basic eA==', 'a=b', 'k-1234', 'kept'],
    ['GET /back', undefined, undefined, undefined, 'kept'],
    ['GET /', undefined, undefined, undefined, 'kept'],
  ]);
});
