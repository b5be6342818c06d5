import { expect, onTestFinished, test } from 'vitest';
import { createAgentWire } from '../../src/agents/agent-wire.ts';
import { createHttpTransport } from '../../src/agents/http-transport.ts';
import type { HttpAgent } from '../../src/agents/agent-request.ts';
import type { Agent } from '../../src/types/agent.ts';
import { NOTHING } from '../effects/granted/a-disk.ts';
import { anHttpServer, aRawServer } from '../effects/granted/an-http-server.ts';
import { anHttpAgent } from '../suite/an-agent.ts';
import { freePort } from '../support/free-port.ts';
import { answerOf, aTarget, error, text } from './a-target.ts';

const NET = ['127.0.0.1'];
const at = (url: string, overrides: Partial<Agent> = {}) => aTarget(anHttpAgent(url, overrides), { net: NET });
const http = (url: string, overrides: object): Pick<Agent, 'target'> => ({
  target: { ...anHttpAgent(url).target, ...overrides } as Agent['target'],
});

test('an answer of JSON with `"error": null` is an answer', async () => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"error": null, "output": "fine"}');
  });
  expect(await answerOf(at(`${server.origin}/ask`).ask('say "hi"'))).toEqual(text('fine'));
  expect(server.seen.map(({ line, body }) => [line, body])).toEqual([['POST /ask', '{"input":"say \\"hi\\""}']]);
});

test('a redirect is an error and is not followed', async () => {
  const server = await anHttpServer((_, response) => {
    response.writeHead(302, { location: '/elsewhere' });
    response.end();
  });
  expect(await answerOf(at(`${server.origin}/ask`).ask('x'))).toEqual(error('HTTP 302: redirects are not followed'));
  expect(server.seen).toHaveLength(1);
});

test('an agent that never answers has timed out, and what it took is its time', async () => {
  const server = await anHttpServer(() => undefined);
  const answer = await at(`${server.origin}/ask`, { timeoutMs: 60, retries: 3 }).ask('x');
  expect(answer).toEqual({
    ...error(`timed out after 60 ms: read ${server.origin}: no answer`),
    latencyMs: 60,
    tries: 1,
  });
  expect(server.seen).toHaveLength(1);
});

test('an agent that drips its answer has timed out as well', async () => {
  const server = await anHttpServer((_, response) => {
    const drip = setInterval(() => response.write('drop '), 10);
    response.on('close', () => clearInterval(drip));
  });
  const answer = await answerOf(at(`${server.origin}/ask`, { timeoutMs: 100 }).ask('x'));
  expect(answer).toEqual(error(`timed out after 100 ms: read ${server.origin}: no answer`));
});

test('an answer of 10 MB is an error, and is not read to its end', async () => {
  const server = await anHttpServer((_, response) => response.end('x'.repeat(10 << 20)));
  const answer = await answerOf(at(`${server.origin}/ask`).ask('x'));
  expect(answer).toEqual(error(`request to ${server.origin}: the response body exceeds its limit of 1 MiB`));
});

test('an answer is read in the charset that it names, and one that is cut off is called so', async () => {
  const latin = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'text/plain; charset="ISO-8859-1"');
    response.end(Buffer.from('caf\u00e9', 'latin1'));
  });
  expect(await answerOf(at(`${latin.origin}/ask`).ask('x'))).toEqual(text('café'));
  const unknown = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'text/plain; charset=klingon');
    response.end('café');
  });
  expect(await answerOf(at(`${unknown.origin}/ask`).ask('x'))).toEqual(text('café'));
  const starts = [
    'HTTP/1.1 20',
    'HTTP/1.1 200 OK\r\nx: y',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel',
  ];
  for (const start of starts) {
    for (const end of ['FIN', 'RST']) {
      const cut = await aRawServer((socket) => {
        socket.write(start, () => setTimeout(() => (end === 'RST' ? socket.resetAndDestroy() : socket.end()), 20));
      });
      const { error: why } = await answerOf(at(`${cut.origin}/ask`, { retries: 0 }).ask('x'));
      expect([start, end, why]).toEqual([
        start,
        end,
        expect.stringMatching(/connection (?:closed in the middle of|reset before) the reply$/),
      ]);
    }
  }
});

test('only calls that nothing answered are made again', async () => {
  let calls = 0;
  const dropping = await aRawServer((socket) => {
    calls += 1;
    if (calls < 3) return void socket.resetAndDestroy();
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nthird');
  });
  expect(await at(`${dropping.origin}/ask`, { retries: 2 }).ask('x')).toMatchObject({ ...text('third'), tries: 3 });
  const failing = await anHttpServer((_, response) => {
    response.statusCode = 503;
    response.end('down');
  });
  expect(await answerOf(at(`${failing.origin}/ask`, { retries: 2 }).ask('x'))).toEqual(error('HTTP 503: down'));
  expect([calls, failing.seen.length]).toEqual([3, 1]);
});

test('an error of the last try says how many there were', async () => {
  const dropping = await aRawServer((socket) => void socket.resetAndDestroy());
  const { error: why } = await at(`${dropping.origin}/ask`, { retries: 1 }).ask('x');
  expect(why).toMatch(/: connection reset before the reply, after 2 tries$/);
});

test('an agent that is not there is an error after the last try', async () => {
  const port = await freePort();
  expect(await at(`http://127.0.0.1:${port}/ask`, { retries: 1 }).ask('x')).toMatchObject({
    ...error(`connect 127.0.0.1:${port}: Connection refused (os error 111)`),
    tries: 2,
    unreached: true,
  });
});

test('an agent that this machine has no connection left for is not to blame', async () => {
  const full = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  let lookups = 0;
  const wire = createAgentWire({
    permissions: { ...NOTHING, net: ['a.example'] },
    env: {},
    lookup: (_host, _options, callback) => {
      lookups++;
      callback(full, '', 4);
    },
  });
  const agent = anHttpAgent('http://a.example/ask', { retries: 1 });
  const transport = createHttpTransport(agent, agent.target as HttpAgent, wire);
  onTestFinished(() => transport.close());
  await expect(transport.call('x', { signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/no more files and connections .*\(EMFILE\): raise `ulimit -n`/),
  });
  expect(lookups).toBe(2);
});

test('granted variables stand in the address, the headers and the query, and never in an answer', async () => {
  const server = await anHttpServer((request, response) =>
    response.end(`you said ${request.headers['authorization']}`),
  );
  const agent = anHttpAgent(
    '',
    http('http://127.0.0.1:$PORT/ask', {
      headers: { Authorization: 'Bearer ${TOKEN}' },
      query: { team: '$TEAM' },
    }),
  );
  const variables = { PORT: String(server.port), TOKEN: 'a-secret-token', TEAM: 'blue' };
  const target = aTarget(agent, { net: NET, env: ['PORT', 'TOKEN', 'TEAM'], variables });
  expect(await answerOf(target.ask('x'))).toEqual(text('you said Bearer [secret TOKEN]'));
  expect(server.seen.map(({ line, headers }) => [line, headers['authorization']])).toEqual([
    ['POST /ask?team=blue', 'Bearer a-secret-token'],
  ]);
  expect(() => aTarget(agent, { net: NET, env: ['PORT'], variables })).toThrow(
    'The secret TOKEN needs --allow-env=TOKEN.',
  );
});

test('an address that is not granted is refused when the target is made, that of its reset too', () => {
  const agent = anHttpAgent('http://127.0.0.1:4711/ask', {
    reset: { kind: 'http', url: 'http://127.0.0.2:4712/reset' },
  });
  expect(() => aTarget(agent)).toThrow('A request to 127.0.0.1:4711 needs --allow-net=127.0.0.1:4711.');
  expect(() => aTarget(agent, { net: NET })).toThrow('A request to 127.0.0.2:4712 needs --allow-net=127.0.0.2:4712.');
});

test('a response path that cannot be read is told when the target is made', () => {
  const agent = anHttpAgent('', http('http://127.0.0.1:4711/ask', { responsePath: '$.choices[0' }));
  expect(() => aTarget(agent, { net: NET })).toThrow(
    'The response path $.choices[0 cannot be read; write it as $.choices[0].message.content.',
  );
});

test.each(['/admin/reset', 'reset?now=1'])(
  'a reset at %s is asked for by a POST at the host of the agent',
  async (url) => {
    const server = await anHttpServer((_, response) => response.end());
    const target = aTarget(
      anHttpAgent('', {
        ...http(`${server.origin}/v1/ask`, { headers: { 'X-Key': 'k' } }),
        reset: { kind: 'http', url },
      }),
      { net: NET },
    );
    await target.reset?.(new AbortController().signal);
    const place = url.startsWith('/') ? url : `/v1/${url}`;
    expect(server.seen.map(({ line, headers, body }) => [line, headers['x-key'], body])).toEqual([
      [`POST ${place}`, 'k', ''],
    ]);
  },
);

test('a reset elsewhere is not told what proves who asks', async () => {
  const [agent, other] = [await anHttpServer((_, r) => r.end()), await anHttpServer((_, r) => r.end())];
  const target = aTarget(
    anHttpAgent('', {
      ...http(`${agent.origin}/ask`, { headers: { 'X-Key': 'k' } }),
      reset: { kind: 'http', url: `${other.origin}/reset` },
    }),
    { net: NET },
  );
  await target.reset?.(new AbortController().signal);
  expect(other.seen.map(({ line, headers }) => [line, headers['x-key']])).toEqual([['POST /reset', undefined]]);
});

test('a reset that is not confirmed is no reset', async () => {
  const server = await anHttpServer((_, response) => {
    response.statusCode = 404;
    response.end('no such page');
  });
  const target = at(`${server.origin}/ask`, { reset: { kind: 'http', url: '/reset' } });
  await expect(target.reset?.(new AbortController().signal)).rejects.toThrow('The agent could not be reset: HTTP 404.');
});
