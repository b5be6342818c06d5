import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveQuestion } from '../../../src/intelligence/live/live-call.ts';
import type { JsonObject } from '../../../src/types/json.ts';
import type { Message, MessagePart } from '../../../src/types/message.ts';
import { MODEL_PROVIDERS, type ModelEndpoint, type ModelProvider } from '../../../src/types/model-endpoint.ts';
import { writeJson } from '../../../src/values/exact-json.ts';
import { textMessage } from '../../../src/values/message-text.ts';
import { answer, type ModelServer, startModelServer, THOUGHT, WHOLE } from '../../support/model-server.ts';
import { anAddress, anEndpoint, aQuestion, callOnce, KEY, withModels } from './a-call.ts';

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
const SPOKEN = MESSAGES.map(({ role, content }) => textMessage(role, content));

async function bodyFor(provider: ModelProvider, stream: boolean, asks: Partial<LiveQuestion> = {}): Promise<unknown> {
  const asked = server.asked.length;
  const endpoint = anEndpoint(server, { provider, stream, temperature: 0, maxTokens: 100 });
  await callOnce(endpoint, { messages: SPOKEN, maxTokens: 64, ...asks });
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

test('OpenAI’s responses are asked for nothing to be stored', async () => {
  expect(await bodyFor('openai-responses', true)).toEqual({
    path: '/v1/responses',
    auth: [['authorization', `Bearer ${KEY}`]],
    body: {
      model: 'small',
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be short.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'no' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Again.' }] },
      ],
      max_output_tokens: 64,
      temperature: 0,
      stream: true,
    },
  });
});

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const WEATHER = { name: 'weather', description: 'Of a city.', parameters: SCHEMA };
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

/** A conversation with everything in it that a message can hold. */
const RICH: readonly Message[] = [
  {
    role: 'user',
    parts: [
      { kind: 'text', text: 'Where is this?' },
      { kind: 'media', contentType: null, url: PIXEL },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { kind: 'reasoning', text: 'A city.', signature: 'sealed' },
      { kind: 'text', text: 'One moment.' },
      { kind: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Bern' } },
      { kind: 'tool_call', id: 'c2', name: 'weather', args: { city: 'Rom' } },
    ],
  },
  {
    role: 'tool',
    parts: [
      { kind: 'tool_result', id: 'c1', name: 'weather', result: { sky: 'clear' } },
      { kind: 'tool_result', id: 'c2', name: 'weather', result: 'down', isError: true },
    ],
  },
];

test.each(MODEL_PROVIDERS)(
  '%s gets pictures, thoughts, calls, results, tools and the wanted form',
  async (provider) => {
    const body = await bodyFor(provider, false, {
      messages: RICH,
      tools: [WEATHER],
      toolChoice: { name: 'weather' },
      output: { kind: 'json', schema: SCHEMA },
    });
    expect(body).toMatchSnapshot();
  },
);

test.each(MODEL_PROVIDERS)('%s may be told to call any tool, none, or one it likes', async (provider) => {
  const choices: unknown[] = [];
  for (const toolChoice of ['auto', 'none', 'required'] as const) {
    const { body } = (await bodyFor(provider, false, { tools: [WEATHER], toolChoice })) as { body: JsonObject };
    choices.push(body['tool_choice'] ?? body['toolConfig']);
  }
  expect(choices).toMatchSnapshot();
});

test('a schema that OpenAI would not enforce is sent as one to be followed', async () => {
  const open = { type: 'object', properties: { city: { type: 'string' } } };
  const asked = await bodyFor('openai', false, { output: { kind: 'json', schema: open } });
  expect(asked).toMatchObject({ body: { response_format: { json_schema: { strict: false } } } });
  const any = await bodyFor('openai', false, { output: { kind: 'json', schema: null } });
  expect(any).toMatchObject({ body: { response_format: { type: 'json_object' } } });
});

const CASES = MODEL_PROVIDERS.flatMap((provider) => [false, true].map((stream) => ({ provider, stream })));

test.each(CASES)(
  '$provider, stream $stream: content and all counts arrive, however the bytes are cut',
  async ({ provider, stream }) => {
    const content = 'Grüße — “done” 🎉\n{"a":1}';
    server.behave = () =>
      answer(content, { usage: { prompt: 100, completion: 40, cached: 60, reasoning: 25 }, bytes: true });
    expect(await callOnce(anEndpoint(server, { provider, stream }))).toEqual({
      kind: 'answer',
      parts: [...thoughtOf(provider), { kind: 'text', text: content }],
      finish: 'stop',
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

/** Chat completions of OpenAI do not show what the model thought. */
function thoughtOf(provider: ModelProvider): readonly MessagePart[] {
  if (provider === 'openai' || provider === 'openai-compatible') return [];
  return [{ kind: 'reasoning', text: THOUGHT, signature: 'sealed' }];
}

test.each(CASES)('$provider, stream $stream: tool calls arrive with their arguments', async ({ provider, stream }) => {
  const calls = [
    { id: 'c1', name: 'weather', args: { city: 'Zürich', days: [1, 2] } },
    { id: 'c2', name: 'now', args: {} },
  ];
  server.behave = () => answer('One moment.', { calls, bytes: true });
  const arrived: MessagePart[] = [];
  const got = await callOnce(anEndpoint(server, { provider, stream }), aQuestion(), undefined, (part) =>
    arrived.push(part),
  );
  expect(got).toMatchObject({
    kind: 'answer',
    parts: [
      ...thoughtOf(provider),
      { kind: 'text', text: 'One moment.' },
      ...calls.map((call) => ({ kind: 'tool_call', ...call })),
    ],
    finish: 'tool_calls',
  });
  // Text is told as it arrives, in pieces, where the endpoint streams.
  const texts = arrived.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  expect([texts.join(''), texts.length > 1]).toEqual(stream ? ['One moment.', true] : ['', false]);
});

test.each([
  ['openai-compatible', { choices: [{ message: { content: 'cut' }, finish_reason: 'length' }] }, 'length'],
  ['openai-compatible', { choices: [{ message: { content: 'x' }, finish_reason: 'content_filter' }] }, 'filtered'],
  ['openai-compatible', { choices: [{ message: { content: 'x' }, finish_reason: 'tired' }] }, 'other'],
  ['openai-compatible', { choices: [{ message: { content: 'x' } }] }, null],
  ['anthropic', { content: [{ type: 'text', text: 'x' }], stop_reason: 'max_tokens' }, 'length'],
  ['anthropic', { content: [{ type: 'text', text: 'x' }], stop_reason: 'refusal' }, 'filtered'],
  ['gemini', { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'MAX_TOKENS' }] }, 'length'],
  ['gemini', { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'SAFETY' }] }, 'filtered'],
  [
    'openai-responses',
    { output: [], status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    'length',
  ],
  [
    'openai-responses',
    {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }],
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    },
    'filtered',
  ],
  [
    'openai-compatible',
    { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
    'filtered',
  ],
  [
    'openai-responses',
    { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }], status: 'completed' },
    'filtered',
  ],
] as const)('%s: %j ended for the reason %s', async (provider, body, finish) => {
  server.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
  expect(await callOnce(anEndpoint(server, { provider }))).toMatchObject({ kind: 'answer', finish });
});

test.each([
  ['openai-compatible', { choices: [{ message: { content: '' }, finish_reason: 'content_filter' }] }],
  ['openai-responses', { output: [], status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
  ['anthropic', { content: [], stop_reason: 'refusal' }],
  ['gemini', { candidates: [{ finishReason: 'SAFETY' }] }],
] as const)('%s: an answer of which everything is withheld is none', async (provider, body) => {
  server.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
  expect(await callOnce(anEndpoint(server, { provider }))).toEqual({
    kind: 'error',
    message: expect.stringContaining('the answer was withheld'),
  });
});

test.each(MODEL_PROVIDERS)('%s: ids of 64 bits keep their digits in arguments and results', async (provider) => {
  const id = 1_234_567_890_123_456_789n;
  const call = { kind: 'tool_call', id: 'c1', name: 'order', args: { id } } as const;
  const result = { kind: 'tool_result', id: 'c1', name: 'order', result: { id } } as const;
  server.behave = (asked) => {
    expect(asked.text.match(/1234567890123456789/g)).toHaveLength(2);
    return { kind: 'raw', body: writeJson(WHOLE[asked.protocol]('', null, [call])) };
  };
  const messages = [
    { role: 'assistant', parts: [call] },
    { role: 'tool', parts: [result] },
  ] as const;
  const got = await callOnce(anEndpoint(server, { provider }), { messages, maxTokens: null });
  expect(got).toMatchObject({ parts: expect.arrayContaining([expect.objectContaining({ args: { id } })]) });
});

test('arguments that are no JSON stay as they are, with the reason', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city": ' } };
  const body = { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] };
  server.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
  expect(await callOnce(anEndpoint(server))).toMatchObject({
    parts: [{ kind: 'tool_call', args: '{"city": ', problem: expect.stringContaining('not JSON') }],
  });
});

test('a response that failed is the model’s error', async () => {
  const body = { status: 'failed', output: [], error: { message: 'The server is tired.' } };
  server.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
  expect(await callOnce(anEndpoint(server, { provider: 'openai-responses' }))).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('The server is tired.'),
  });
});

test.each(CASES)(
  '$provider, stream $stream: usage that nobody told is unknown, not 0',
  async ({ provider, stream }) => {
    server.behave = () => answer('hello', { usage: null });
    expect(await callOnce(anEndpoint(server, { provider, stream }))).toEqual({
      kind: 'answer',
      parts: [...thoughtOf(provider), { kind: 'text', text: 'hello' }],
      finish: 'stop',
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
    expect(got).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/the connection was cut in the middle of the answer.*max_concurrent = 1/),
    });
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
  expect(await callOnce(anEndpoint(server, { stream: true }))).toMatchObject({
    kind: 'answer',
    parts: [{ kind: 'text', text: 'whole' }],
  });
});

test.each([
  ['no index', [null, null]],
  ['one index for all', [0, 0]],
])('calls in a stream that come with %s are told by their ids', async (_, [one, other]) => {
  const event = (call: object): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
  const place = (index: number | null | undefined) => (index === null ? {} : { index });
  const begin = (id: string, index: number | null | undefined): string =>
    event({ ...place(index), id, function: { name: 'weather', arguments: `{"city":` } });
  const go = (city: string, index: number | null | undefined): string =>
    // Some servers give each piece an id of its own; only the first has a name.
    event({ ...place(index), id: `x-${city}`, function: { arguments: `"${city}"}` } });
  server.behave = () => ({
    kind: 'raw',
    type: 'text/event-stream',
    body: [
      begin('c1', one),
      event({ ...place(one), function: { arguments: '"Rome"}' } }),
      begin('c2', other),
      go('Oslo', other),
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    ].join(''),
  });
  expect(await callOnce(anEndpoint(server, { stream: true }))).toMatchObject({
    kind: 'answer',
    parts: [
      { kind: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Rome' } },
      { kind: 'tool_call', name: 'weather', args: { city: 'Oslo' } },
    ],
  });
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

test.each<[ModelProvider, Partial<ModelEndpoint>, object]>([
  [
    'openai-compatible',
    { topP: 0.5, seed: 7, stop: ['END'], reasoningEffort: 'low' },
    { top_p: 0.5, seed: 7, stop: ['END'], reasoning_effort: 'low' },
  ],
  ['openai-responses', { topP: 0.5, reasoningEffort: 'low' }, { top_p: 0.5, reasoning: { effort: 'low' } }],
  ['anthropic', { topP: 0.5, stop: ['END'] }, { top_p: 0.5, stop_sequences: ['END'] }],
  [
    'gemini',
    { topP: 0.5, seed: 7, stop: ['END'], reasoningEffort: 'low', body: { generationConfig: { topK: 4 } } },
    {
      generationConfig: {
        maxOutputTokens: 32,
        topP: 0.5,
        seed: 7,
        stopSequences: ['END'],
        thinkingConfig: { thinkingLevel: 'low' },
        topK: 4,
      },
    },
  ],
])('%s is told what an endpoint sets, in its own words', async (provider, endpoint, expected) => {
  const asked = server.asked.length;
  await callOnce(anEndpoint(server, { provider, ...endpoint, headers: { 'X-Team': 'tills' } }), aQuestion());
  expect(server.asked[asked]).toMatchObject({ headers: { 'x-team': 'tills' }, body: expected });
});

test('the body of an endpoint stands in place of what passk writes, table by table', async () => {
  const asked = server.asked.length;
  await callOnce(
    anEndpoint(server, { temperature: 0, body: { temperature: 1, provider: { order: ['a'] } } }),
    aQuestion(),
  );
  expect(server.asked[asked]?.body).toMatchObject({ model: 'small', temperature: 1, provider: { order: ['a'] } });
});

test('a seed of the trial is another one for each call, and the same in every run', async () => {
  const from = server.asked.length;
  const seeds = async (): Promise<unknown[]> => {
    const begin = server.asked.length;
    await withModels(async (models) => {
      for (const trial of [0, 1]) {
        const { signal } = new AbortController();
        await models.call(anEndpoint(server, { seed: 'trial' }), aQuestion(), anAddress(trial), { signal });
      }
    });
    return server.asked.slice(begin).map(({ body }) => body['seed']);
  };
  const first = await seeds();
  expect(new Set(first).size).toBe(2);
  expect(await seeds()).toEqual(first);
  for (const seed of first)
    expect(Number.isInteger(seed) && (seed as number) >= 0 && (seed as number) < 2 ** 31).toBe(true);
  expect(server.asked.length).toBe(from + 4);
});
