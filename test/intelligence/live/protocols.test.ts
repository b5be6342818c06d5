import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelProvider } from '../../../src/types/model-endpoint.ts';
import { answer, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { anEndpoint, aQuestion, callOnce, KEY } from './a-call.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => answer('hello'));
});
afterAll(() => server.close());

const MESSAGES = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Hi.' },
  { role: 'assistant', content: 'no' },
  { role: 'user', content: 'Again.' },
] as const;

async function bodyFor(provider: ModelProvider, stream: boolean): Promise<unknown> {
  const asked = server.asked.length;
  const endpoint = anEndpoint(server, { provider, stream, temperature: 0, maxTokens: 100 });
  await callOnce(endpoint, { messages: MESSAGES, maxTokens: 64 });
  const { path, headers, body } = server.asked[asked] ?? { path: '', headers: {}, body: {} };
  const auth = Object.entries(headers).filter(([, value]) => String(value).includes(KEY));
  return { path, auth, body };
}

test('OpenAI is asked with the cap its own models take', async () => {
  expect(await bodyFor('openai', true)).toEqual({
    path: '/v1/chat/completions',
    auth: [['authorization', `Bearer ${KEY}`]],
    body: {
      model: 'small',
      messages: MESSAGES,
      max_completion_tokens: 64,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    },
  });
});

test('compatible servers are asked with the cap that all of them know', async () => {
  expect(await bodyFor('openai-compatible', false)).toEqual({
    path: '/v1/chat/completions',
    auth: [['authorization', `Bearer ${KEY}`]],
    body: { model: 'small', messages: MESSAGES, max_tokens: 64, temperature: 0 },
  });
});

test('Anthropic gets system messages apart', async () => {
  expect(await bodyFor('anthropic', false)).toEqual({
    path: '/v1/messages',
    auth: [['x-api-key', KEY]],
    body: { model: 'small', max_tokens: 64, system: 'Be short.', messages: MESSAGES.slice(1), temperature: 0 },
  });
});

test('Gemini gets its own names for roles and parts', async () => {
  expect(await bodyFor('gemini', true)).toEqual({
    path: '/v1beta/models/small:streamGenerateContent?alt=sse',
    auth: [['x-goog-api-key', KEY]],
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Hi.' }] },
        { role: 'model', parts: [{ text: 'no' }] },
        { role: 'user', parts: [{ text: 'Again.' }] },
      ],
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      generationConfig: { maxOutputTokens: 64, temperature: 0 },
    },
  });
});

const CASES = (['openai', 'openai-compatible', 'anthropic', 'gemini'] as const).flatMap((provider) =>
  [false, true].map((stream) => ({ provider, stream })),
);

test.each(CASES)(
  '$provider, stream $stream: content and all counts arrive, however the bytes are cut',
  async ({ provider, stream }) => {
    const content = 'Grüße — “done” 🎉\n{"a":1}';
    server.behave = () =>
      answer(content, { usage: { prompt: 100, completion: 40, cached: 60, reasoning: 25 }, bytes: true });
    expect(await callOnce(anEndpoint(server, { provider, stream }))).toEqual({
      kind: 'answer',
      content,
      usage: {
        promptTokens: 100,
        completionTokens: 40,
        cachedTokens: 60,
        cacheWriteTokens: 0,
        // Anthropic does not tell them apart.
        reasoningTokens: provider === 'anthropic' ? 0 : 25,
      },
    });
  },
);

test.each(CASES)(
  '$provider, stream $stream: usage that nobody told is unknown, not 0',
  async ({ provider, stream }) => {
    server.behave = () => answer('hello', { usage: null });
    expect(await callOnce(anEndpoint(server, { provider, stream }))).toEqual({
      kind: 'answer',
      content: 'hello',
      usage: null,
    });
  },
);

test.each(CASES)(
  '$provider, stream $stream: an answer that breaks off is an error, not half an answer',
  async ({ provider, stream }) => {
    server.behave = () => ({ kind: 'drop', when: 'middle' });
    const asked = server.asked.length;
    const got = await callOnce(anEndpoint(server, { provider, stream }));
    expect(got).toMatchObject({ kind: 'error', message: expect.stringContaining('in the middle of the answer') });
    expect(server.asked.length - asked).toBe(1);
  },
);

test('a server that does not stream is understood all the same', async () => {
  server.behave = () => ({
    kind: 'raw',
    body: JSON.stringify({
      choices: [{ message: { content: [{ type: 'text', text: 'whole' }] }, finish_reason: 'stop' }],
    }),
  });
  expect(await callOnce(anEndpoint(server, { stream: true }))).toMatchObject({ kind: 'answer', content: 'whole' });
});

test('a stream that ends before its answer is an error', async () => {
  server.behave = () => ({
    kind: 'raw',
    type: 'text/event-stream',
    body: 'data: {"choices":[{"index":0,"delta":{"content":"hal"}}]}\n\n',
  });
  expect(await callOnce(anEndpoint(server, { stream: true }))).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('the stream ended before the answer did'),
  });
});

test('an error inside a stream is the model’s', async () => {
  server.behave = () => ({
    kind: 'raw',
    type: 'text/event-stream',
    body: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  });
  expect(await callOnce(anEndpoint(server, { provider: 'anthropic', stream: true }))).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('Overloaded'),
  });
});

test('a prompt that Gemini blocks is told with the reason', async () => {
  server.behave = () => ({ kind: 'raw', body: JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } }) });
  expect(await callOnce(anEndpoint(server, { provider: 'gemini' }))).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('the prompt was refused: SAFETY'),
  });
});

test.each([
  ['no JSON', 'surprise <html>', 'not JSON'],
  ['an answer without a message', '{}', 'holds no message'],
])('%s is an error with its cause', async (_, body, cause) => {
  server.behave = () => ({ kind: 'raw', body });
  expect(await callOnce(anEndpoint(server), aQuestion())).toMatchObject({
    kind: 'error',
    message: expect.stringContaining(cause),
  });
});
