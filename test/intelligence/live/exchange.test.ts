import { getEventListeners } from 'node:events';
import process from 'node:process';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { exchange } from '../../../src/intelligence/live/exchange.ts';
import type { StreamReader } from '../../../src/intelligence/live/providers/protocol.ts';
import { PROVIDERS } from '../../../src/intelligence/live/providers/provider.ts';
import { EVENTS, WHOLE } from '../../support/model-server.ts';

const USAGE = { prompt: 1, completion: 1, cached: 0, reasoning: 0 };

const ANSWER = JSON.stringify(WHOLE.openai('hi', USAGE));

/** A server that answers so, or not at all before it is told to stop. */
function answering(body: string | null, status = 200, type = 'application/json'): Dispatcher {
  const request = async ({ signal }: { readonly signal: AbortSignal }) => {
    signal.throwIfAborted();
    if (body === null) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    async function* bytes() {
      yield new TextEncoder().encode(body ?? '');
    }
    return { statusCode: status, headers: { 'content-type': type }, body: bytes() };
  };
  return { request } as unknown as Dispatcher;
}

function ask(
  dispatcher: Dispatcher,
  { timeoutMs = 60_000, signal = new AbortController().signal, stream = null as StreamReader | null } = {},
) {
  return exchange({
    dispatcher,
    url: 'http://127.0.0.1/v1/x',
    headers: {},
    body: {},
    timeoutMs,
    firstByteTimeoutMs: 60_000,
    signal,
    stream,
    read: PROVIDERS['openai-compatible'].read,
  });
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test.each([
  ['an answer', answering(ANSWER), { kind: 'reply' }],
  ['a refusal', answering('no', 500), { kind: 'status', status: 500 }],
  ['an answer without sense', answering('<html>'), { kind: 'lost', why: 'unreadable' }],
])('%s leaves neither a timer nor a listener behind', async (_, dispatcher, expected) => {
  const run = new AbortController();
  const before = timers();
  expect(await ask(dispatcher, { signal: run.signal })).toMatchObject(expected);
  expect(timers()).toBe(before);
  expect(getEventListeners(run.signal, 'abort')).toEqual([]);
});

test('the time limit of an answer says so, and a run that ends rejects with its own reason', async () => {
  expect(await ask(answering(null), { timeoutMs: 20 })).toEqual({
    kind: 'lost',
    why: 'late',
    message: 'no whole answer within 20 ms (timeout_ms)',
  });
  const run = new AbortController();
  const asked = ask(answering(null), { signal: run.signal });
  run.abort(new Error('the run has ended'));
  await expect(asked).rejects.toThrow('the run has ended');
  await expect(ask(answering(null), { signal: run.signal })).rejects.toThrow('the run has ended');
});

test('a limit beyond what timers can do is no limit at once', async () => {
  expect(await ask(answering(ANSWER), { timeoutMs: 2 ** 40 })).toMatchObject({ kind: 'reply' });
});

test.each(['openai', 'openai-responses', 'anthropic', 'gemini'] as const)(
  'a stream of %s with an event that is no JSON is no answer, and events without data say nothing',
  async (provider) => {
    const events = EVENTS[provider]('Pay it back.', USAGE);
    const streamed = (pieces: readonly string[]) =>
      ask(answering(pieces.join(''), 200, 'text/event-stream'), { stream: PROVIDERS[provider].openStream() });
    const [first = '', ...others] = events;
    expect(await streamed([first, 'data: \n\n', ...others])).toMatchObject({
      kind: 'reply',
      reply: { kind: 'answer' },
    });
    expect(await streamed([first, 'data: {"choices":[{"delta":{"content":"do \n\n', ...others])).toEqual({
      kind: 'lost',
      why: 'unreadable',
      message: `an event of the stream is not JSON; it begins with ${JSON.stringify('{"choices":[{"delta":{"content":"do')}`,
    });
  },
);

test('an answer without sense shows its beginning, and one without anything says so', async () => {
  const page = `<html>${'x'.repeat(200)}`;
  expect(await ask(answering(page))).toMatchObject({
    message: `the answer is not JSON; it begins with ${JSON.stringify(page.slice(0, 80))}`,
  });
  expect(await ask(answering(''))).toMatchObject({ message: 'the answer is empty' });
});

test('a machine that opens no more connections is told apart from a server that breaks them', async () => {
  const failing = (code: string): Dispatcher =>
    ({ request: () => Promise.reject(Object.assign(new Error(code), { code })) }) as unknown as Dispatcher;
  expect(await ask(failing('EMFILE'))).toMatchObject({
    kind: 'lost',
    why: 'exhausted',
    message: expect.stringContaining('ulimit -n'),
  });
  expect(await ask(failing('ECONNRESET'))).toMatchObject({ kind: 'lost', why: 'dropped' });
});
