import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aRunner, aStart, piecesOf } from './a-runner.ts';

interface Recorded {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of the body as they arrive. */
  readonly body: readonly string[];
  /** The connection breaks after the body. */
  readonly breaks?: boolean;
  readonly health?: string;
  /** What every request must show that it knows. */
  readonly secret?: string;
}

/** A runner for a server that answers every action with these bytes. */
async function replaying(recorded: Recorded, env: Readonly<Record<string, string>> = {}) {
  const { status = 200, headers = {}, body, breaks = false, health = '', secret } = recorded;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (secret !== undefined && request.headers['x-genkit-reflection-secret'] !== secret) {
      return void response.writeHead(401).end('{"error":"Unauthorized"}');
    }
    if (request.url === '/api/__health') return void response.end(health);
    request.resume().on('end', async () => {
      response.writeHead(status, headers);
      for (const part of body) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (breaks) response.destroy();
      else response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const permissions = { ...aStart().permissions, net: [host] };
  return aRunner('reflection', { url: `http://${host}`, permissions, env, startupTimeoutMs: 2000 });
}

const asked = async (recorded: Recorded, stream = false) => (await replaying(recorded)).say('hi', { stream });

describe('errors', () => {
  test.each<[string, Recorded, object]>([
    [
      'of JavaScript: status 200 and a number of gRPC',
      { body: ['{"error":{"code":8,"message":"RESOURCE_EXHAUSTED: quota","details":{"stack":"Error"}}}'] },
      { message: 'RESOURCE_EXHAUSTED: quota', code: '8', transient: true },
    ],
    [
      'of JavaScript: an unknown action',
      { status: 404, headers: { 'content-type': 'text/html' }, body: ['action /model/fake/one not found'] },
      { message: 'HTTP 404: action /model/fake/one not found', code: '404', transient: false },
    ],
    [
      'of Go: a number of HTTP',
      { status: 500, body: ['{"error":{"code":500,"message":"upstream is down","details":{}}}'] },
      { message: 'upstream is down', code: '500', transient: true },
    ],
    [
      'of older Go: no wrapper, status 200',
      { body: ['{"code":400,"message":"no such field","details":{"stack":"main.go:1"}}'] },
      { message: 'no such field', code: '400', transient: false },
    ],
    [
      'of Python: a text',
      { status: 404, body: ['{"error":"Action not found: /model/fake/one"}'] },
      { message: 'Action not found: /model/fake/one', code: '404', transient: false },
    ],
    [
      'of Python 0.12: a number of gRPC, behind details',
      {
        body: [
          '{"error": {"details": {"stack": "", "traceId": "2b4a"}, "message": "Error while running action fake/one: TypeError(\\"\'int\' object is not iterable\\")", "code": 13}}',
        ],
      },
      {
        message: `Error while running action fake/one: TypeError("'int' object is not iterable")`,
        code: '13',
        transient: false,
      },
    ],
    [
      'of Python 0.12: a text that is no JSON',
      { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: ['Internal Server Error'] },
      { message: 'HTTP 500: Internal Server Error', code: '500', transient: true },
    ],
    [
      'of a gateway: a page, and when to come again',
      { status: 503, headers: { 'retry-after': '3' }, body: ['<html>busy</html>'] },
      { message: 'HTTP 503: <html>busy</html>', code: '503', transient: true, retryAfterMs: 3000 },
    ],
    ['an empty refusal', { status: 502, body: [] }, { message: 'HTTP 502', code: '502', transient: true }],
    [
      'what is no JSON',
      { body: ['{"result": {"message"'] },
      { message: 'The reply is no JSON: {"result": {"message"', code: null, transient: false },
    ],
    ['nothing at all', { body: [] }, { message: 'The reply is no JSON: it is empty', transient: false }],
  ])('%s', async (_, recorded, expected) => {
    expect(await asked(recorded)).toMatchObject({ kind: 'problem', why: 'error', chunks: null, ...expected });
  });
});

describe('answers', () => {
  const response = { message: { role: 'model', content: [{ text: 'hi' }] } };

  test.each<[string, Recorded]>([
    ['of JavaScript', { health: 'OK', body: [JSON.stringify({ result: response, telemetry: { traceId: 't' } })] }],
    [
      'of Go, in two parts',
      { health: '', body: ['{"result":{"message":{"role":"model",', '"content":[{"text":"hi"}]}}}\n'] },
    ],
    [
      'of Python',
      {
        health: '{"status":"OK"}',
        body: [JSON.stringify({ result: response, telemetry: { traceId: 't', spanId: 's' } })],
      },
    ],
    ['without anything around them', { body: [JSON.stringify(response)] }],
  ])('%s', async (_, recorded) => {
    expect(await asked(recorded)).toMatchObject({ kind: 'answer', response });
  });

  test('of Python 0.12, in pieces', async () => {
    const answer = await asked(
      {
        body: [
          '{"role":"model","content":[{"text":"hi"}]}\n',
          '{"result": {"message": {"role": "model", "content": [{"text": "hi"}]}, "finishReason": "stop", "latencyMs": 0.45, "usage": {}, "custom": {}}, "telemetry": {"traceId": "b8e7", "spanId": "6c87"}}',
        ],
      },
      true,
    );
    expect(answer).toMatchObject({ kind: 'answer', response: { ...response, usage: {}, custom: {} } });
    expect(piecesOf(answer)).toEqual(['hi']);
  });

  test('a server that demands its secret gets the one that is granted, with every request', async () => {
    const recorded = { secret: 's3cret', body: [JSON.stringify({ result: response })] };
    const runner = await replaying(recorded, { GENKIT_REFLECTION_SECRET_TOKEN: 's3cret' });
    expect(await runner.say('hi')).toMatchObject({ kind: 'answer', response });
    await expect(replaying(recorded)).rejects.toThrow('No healthy reflection server answers');
  });

  test('a result that is null is one', async () => {
    expect(await asked({ body: ['{"result":null}'] })).toMatchObject({ kind: 'answer', response: null });
  });
});

describe('streams', () => {
  const piece = (text: string): string => `${JSON.stringify({ role: 'model', content: [{ text }] })}\n`;
  const end = '{"result":{"message":{"role":"model","content":[{"text":"ab"}]}}}';

  test('pieces count from when they came, however the bytes are cut', async () => {
    const whole = `${piece('a')}${piece('é')}${end}`;
    const bytes = [whole.slice(0, 5), whole.slice(5, 60), whole.slice(60)];
    const answer = await asked({ body: bytes }, true);
    expect([answer.kind, piecesOf(answer)]).toEqual(['answer', ['a', 'é']]);
  });

  test('a model that waits between its pieces is seen to', async () => {
    const answer = await asked({ body: [piece('a'), piece('b'), end] }, true);
    const [first = 0, second = 0] = (answer.chunks ?? []).map(({ atMs }) => Number(atMs));
    expect(second).toBeGreaterThan(first);
    expect(answer.latencyMs).toBeGreaterThan(second);
  });

  test('an error at the end keeps what came before it', async () => {
    const answer = await asked({ body: [piece('a'), '{"error":{"code":14,"message":"UNAVAILABLE: gone"}}'] }, true);
    expect(answer).toMatchObject({ kind: 'problem', why: 'error', code: '14', transient: true });
    expect(piecesOf(answer)).toEqual(['a']);
  });

  test('a bare error of Go at the end is none of its pieces', async () => {
    const answer = await asked({ body: [piece('a'), '{"code":500,"message":"gone","details":null}'] }, true);
    expect([answer.kind, piecesOf(answer)]).toEqual(['problem', ['a']]);
  });

  test('a connection that breaks off keeps all pieces', async () => {
    const answer = await asked({ body: [piece('a'), piece('b')], breaks: true }, true);
    expect(answer).toMatchObject({ kind: 'problem', why: 'died', transient: true });
    expect(piecesOf(answer)).toEqual(['a', 'b']);
  });

  test('one that ends without an answer is no answer', async () => {
    const answer = await asked({ body: [piece('a'), piece('b')] }, true);
    expect(answer).toMatchObject({ kind: 'problem', message: 'The stream ended without an answer.' });
    expect(piecesOf(answer)).toEqual(['a', 'b']);
  });

  test('one with an end alone has no pieces', async () => {
    expect(await asked({ body: [end] }, true)).toMatchObject({ kind: 'answer', chunks: [] });
  });
});

test('a reply without an end is not read for ever', async () => {
  const answer = await asked({ body: Array.from({ length: 9 }, () => 'x'.repeat(8 << 20)) });
  expect(answer).toMatchObject({ kind: 'problem', why: 'error', message: 'The reply has more than 67108864 bytes.' });
});
