import { setMaxListeners } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest';
import { liveReport } from '../../../src/intelligence/live/live-counts.ts';
import type { ModelEndpoint } from '../../../src/types/model-endpoint.ts';
import { answer, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { anAddress, anEndpoint, aQuestion, callOnce, KEY, withModels } from './a-call.ts';

let server: ModelServer;
let before = 0;
beforeAll(async () => {
  server = await startModelServer(() => answer('hello'));
});
beforeEach(() => {
  before = server.asked.length;
});
afterAll(() => server.close());

const asks = (): number => server.asked.length - before;
const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

/** Misbehaves for the first requests of a test. */
function first(count: number, behaviour: ReturnType<typeof answer>): void {
  server.behave = () => (asks() <= count ? behaviour : answer('at last'));
}

test.each([408, 409, 425, 429, 500, 502, 503, 529])('status %i passes: the call is made again', async (status) => {
  first(1, { kind: 'status', status, headers: { 'retry-after-ms': '1' } });
  expect([await callOnce(anEndpoint(server)), asks()]).toEqual([
    expect.objectContaining({ parts: [{ kind: 'text', text: 'at last' }] }),
    2,
  ]);
});

test('a connection that breaks before the answer is made again', async () => {
  first(1, { kind: 'drop', when: 'before' });
  expect([await callOnce(anEndpoint(server)), asks()]).toEqual([
    expect.objectContaining({ parts: [{ kind: 'text', text: 'at last' }] }),
    2,
  ]);
});

test('the server’s own word on whether to ask again is obeyed', async () => {
  first(1, { kind: 'status', status: 500, headers: { 'x-should-retry': 'false' } });
  expect([await callOnce(anEndpoint(server)), asks()]).toEqual([expect.objectContaining({ kind: 'error' }), 1]);
});

test.each<[string, Parameters<typeof first>[1], Partial<ModelEndpoint>, string]>([
  [
    'a server error',
    { kind: 'status', status: 500, error: { error: { message: 'boom' } } },
    { maxRetries: 1 },
    'HTTP 500: boom (after 2 attempts)',
  ],
  ['silence', { kind: 'silent' }, { maxRetries: 0, timeoutMs: 80 }, 'no whole answer within 80 ms (timeout_ms)'],
  [
    'a late first byte',
    { kind: 'silent' },
    { maxRetries: 0, firstByteTimeoutMs: 30 },
    'no answer within 30 ms (first_byte_timeout_ms)',
  ],
  [
    'a request it will not take',
    { kind: 'status', status: 400, error: { error: { message: 'too long' } } },
    {},
    'HTTP 400: too long',
  ],
])('%s that stays is the model’s error', async (_, behaviour, endpoint, cause) => {
  server.behave = () => behaviour;
  const { host } = new URL(server.url);
  expect(await callOnce(anEndpoint(server, endpoint))).toEqual({
    kind: 'error',
    ...(cause.startsWith('no ') && { isLate: true }),
    message: `openai-compatible "small" at ${host}: ${cause}`,
  });
});

test.each([401, 402, 403, 404, 307])('status %i is the set-up’s fault: broken, and not tried again', async (status) => {
  server.behave = () => ({ kind: 'status', status, headers: { location: 'http://127.0.0.1:9/elsewhere' } });
  expect([await callOnce(anEndpoint(server)), asks()]).toEqual([expect.objectContaining({ kind: 'broken' }), 1]);
});

test('a used-up account is no rate limit', async () => {
  const error = { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } };
  server.behave = () => ({ kind: 'status', status: 429, error });
  expect([await callOnce(anEndpoint(server)), asks()]).toEqual([expect.objectContaining({ kind: 'broken' }), 1]);
});

test('a rate limit that stays says nothing about the subject', async () => {
  server.behave = () => ({ kind: 'status', status: 429, headers: { 'retry-after-ms': '1' } });
  expect(await callOnce(anEndpoint(server, { maxRetries: 1 }))).toMatchObject({
    kind: 'broken',
    message: expect.stringContaining('requests_per_minute'),
  });
});

test('an address where nobody listens is the set-up’s fault', async () => {
  const socket = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => socket.once('listening', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  const endpoint = anEndpoint(server, { baseUrl: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
  expect(await callOnce(endpoint)).toEqual({
    kind: 'broken',
    message: `openai-compatible "small" at 127.0.0.1:${port}: nobody listens there (ECONNREFUSED)`,
  });
});

test('after the same refusal three times in a row nobody is asked any more', async () => {
  server.behave = () => ({ kind: 'status', status: 401, error: { error: { message: 'wrong key' } } });
  const kinds = await withModels(async (models) => {
    const answers: string[] = [];
    for (let trial = 0; trial < 20; trial++) {
      answers.push((await models.call(anEndpoint(server), aQuestion(), anAddress(trial), { signal: NEVER })).kind);
    }
    return answers;
  });
  expect([new Set(kinds), asks()]).toEqual([new Set(['broken']), 3]);
});

test('a 429 holds back every call of the limiter, not only its own', async () => {
  const times: number[] = [];
  server.behave = () => {
    times.push(performance.now());
    return asks() === 1 ? { kind: 'status', status: 429, headers: { 'retry-after-ms': '300' } } : answer('hello');
  };
  await withModels(async (models) => {
    const endpoint = anEndpoint(server, { maxConcurrent: 1 });
    await Promise.all(
      Array.from({ length: 4 }, (_, trial) => models.call(endpoint, aQuestion(), anAddress(trial), { signal: NEVER })),
    );
  });
  const [refused = 0, ...others] = times;
  expect(others.length).toBe(4);
  // Timers may fire a little early against the other clock.
  expect(Math.min(...others) - refused).toBeGreaterThan(280);
});

test('no more requests are in flight than allowed, over all trials', async () => {
  const own = await startModelServer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return answer('hello');
  });
  await withModels((models) =>
    Promise.all(
      Array.from({ length: 30 }, (_, trial) =>
        models.call(anEndpoint(own, { maxConcurrent: 3 }), aQuestion(), anAddress(trial), { signal: NEVER }),
      ),
    ),
  );
  await own.close();
  expect([own.asked.length, own.mostAtOnce]).toEqual([30, 3]);
});

test('whoever gives up closes the connection', async () => {
  const own = await startModelServer(() => ({ kind: 'silent' }));
  const stop = new AbortController();
  const call = callOnce(anEndpoint(own), aQuestion(), stop.signal);
  while (own.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  while (own.abandoned === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await own.close();
});

test('a key that a server sends back is seen nowhere', async () => {
  server.behave = () => ({ kind: 'status', status: 401, error: { error: { message: `bad key ${KEY}` } } });
  const refused = await callOnce(anEndpoint(server));
  server.behave = () => answer(`your key is ${KEY}`);
  const answered = await callOnce(anEndpoint(server));
  expect(JSON.stringify([refused, answered])).not.toContain(KEY);
});

test('calls, retries, tokens and cost are counted by scenario and backend', async () => {
  first(1, { kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } });
  const price = { input: 2, output: 10, cached: 0.5 };
  const report = await withModels(async (models) => {
    await models.call(anEndpoint(server, { price }), aQuestion(), anAddress(0), { signal: NEVER });
    server.behave = () => answer('x', { usage: { prompt: 1000, completion: 100, cached: 400, reasoning: 60 } });
    await models.call(anEndpoint(server, { price }), aQuestion(), anAddress(1), { signal: NEVER });
    server.behave = () => answer('x', { usage: null });
    await models.call(anEndpoint(server, { price }), aQuestion(), anAddress(2), { signal: NEVER });
    return liveReport(models.counts());
  });
  const costUsd = (10 * 2 + 5 * 10 + 600 * 2 + 400 * 0.5 + 100 * 10) / 1e6;
  expect(report).toEqual({
    stoppedBy: null,
    costUsd,
    unknownUsage: 1,
    models: [
      {
        scenario: 'greet',
        backend: 'default',
        provider: 'openai-compatible',
        model: 'small',
        calls: 3,
        reused: 0,
        retries: 1,
        failures: 0,
        promptTokens: 1010,
        completionTokens: 105,
        cachedTokens: 400,
        reasoningTokens: 60,
        unknownUsage: 1,
        costUsd,
      },
    ],
  });
});

test('a budget is never passed, however many calls are in flight', async () => {
  server.behave = () => answer('x', { usage: { prompt: 20, completion: 32 } });
  let told = 0;
  const kinds = await withModels(
    (models) =>
      Promise.all(
        Array.from({ length: 50 }, async (_, trial) => {
          const { kind } = await models.call(anEndpoint(server), aQuestion('hi'), anAddress(trial), { signal: NEVER });
          return kind;
        }),
      ),
    { maxTokens: 52 * 7 + 20, onSpent: () => told++ },
  );
  expect([kinds.filter((kind) => kind === 'answer').length, asks(), told]).toEqual([7, 7, 1]);
  expect(new Set(kinds)).toEqual(new Set(['answer', 'spent']));
});

test('counts never fall where the budget has no room: a journal notes what they grow by', async () => {
  server.behave = () => answer('x', { usage: { prompt: 20, completion: 32 } });
  const calls: number[] = [];
  await withModels(
    (models) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, trial) => {
          await models.call(anEndpoint(server), aQuestion('hi'), anAddress(trial), { signal: NEVER });
          calls.push(models.counts().rows[0]?.calls ?? 0);
        }),
      ),
    { maxTokens: 52 * 3 + 20 },
  );
  expect([calls, calls.at(-1)]).toEqual([calls.toSorted((a, b) => a - b), 3]);
});
