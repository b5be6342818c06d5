import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { LineReader } from '../../src/effects/granted/line-reader.ts';
import { mcpAnswer } from '../../src/effects/granted/mcp-answer.ts';
import { openSessionServer } from '../../src/effects/served/session-server.ts';
import { exchange } from '../../src/intelligence/live/exchange.ts';
import { judgeFailure } from '../../src/intelligence/live/judge-failure.ts';
import { keyMask, maskExchange } from '../../src/intelligence/live/key-mask.ts';
import { readPairScores } from '../../src/faithfulness/pair-question.ts';
import type { Question } from '../../src/intelligence/live/providers/protocol.ts';
import { PROVIDERS } from '../../src/intelligence/live/providers/provider.ts';
import { retryAfterMs } from '../../src/intelligence/live/retry-wait.ts';
import { otlpSender } from '../../src/report/otlp/otlp-requests.ts';
import { MODEL_PROVIDERS, SCORER_PROVIDERS, type ModelProvider } from '../../src/types/model-endpoint.ts';
import { textMetadata } from '../../src/agents/response-metadata.ts';
import { readAnswer } from '../../src/agents/read-answer.ts';
import { isPart } from '../../src/trial/read-model-answer.ts';
import type { Json } from '../../src/types/json.ts';
import { EVENTS, WHOLE } from '../support/model-server.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedJson, mutatedTexts } from './mutations.ts';
import { integerAsText } from '../../src/values/exact-json.ts';

const LONG = 24 * 3_600_000;
const USAGE = { prompt: 10, completion: 5, cached: 2, reasoning: 1 };
const TEXT = 'Grüße, 答え 😀 {"a": 1}\n';
const protocolOf = (provider: (typeof MODEL_PROVIDERS)[number]) =>
  provider === 'openai-compatible' ? 'openai' : provider;

interface Sent {
  readonly bytes: Uint8Array;
  /** Where the network cuts it. */
  readonly cuts: readonly number[];
  readonly stream: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a server that sends this is understood to say. Its socket is the only part that is not real. */
function understood(provider: ModelProvider, { bytes, cuts, stream, status = 200, headers = {} }: Sent) {
  async function* body(): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      if (cut <= from || cut >= bytes.length) continue;
      yield bytes.subarray(from, cut);
      from = cut;
    }
    yield bytes.subarray(from);
  }
  const type = stream ? 'text/event-stream; charset=utf-8' : 'application/json';
  const dispatcher = {
    request: async () => ({ statusCode: status, headers: { 'content-type': type, ...headers }, body: body() }),
  } as unknown as Dispatcher;
  const { read, openStream } = PROVIDERS[provider];
  return exchange({
    dispatcher,
    url: 'http://127.0.0.1/v1/x',
    headers: {},
    body: {},
    timeoutMs: 60_000,
    firstByteTimeoutMs: 60_000,
    signal: new AbortController().signal,
    stream: stream ? openStream() : null,
    read,
  });
}

const streams = MODEL_PROVIDERS.map((provider) => Buffer.from(EVENTS[protocolOf(provider)](TEXT, USAGE).join('')));
const wholes = MODEL_PROVIDERS.map((provider) => WHOLE[protocolOf(provider)](TEXT, USAGE));
const cuts = fc.array(fc.nat(1200), { maxLength: 12 });
const providers = fc.constantFrom(...MODEL_PROVIDERS);

test('an answer in events is the same, wherever the network cuts it', { timeout: LONG }, async () => {
  await fuzz('cuts of streams', fc.tuple(providers, cuts), 600, async ([provider, at]) => {
    const bytes = streams[MODEL_PROVIDERS.indexOf(provider)] ?? new Uint8Array(0);
    const sent = await understood(provider, { bytes, cuts: at, stream: true });
    expect(sent).toMatchObject({
      kind: 'reply',
      reply: { kind: 'answer', parts: expect.arrayContaining([{ kind: 'text', text: TEXT }]) },
    });
  });
});

test('any bytes in place of an answer in events are an answer or an error of the model', {
  timeout: LONG,
}, async () => {
  const inputs = fc.tuple(providers, fc.oneof(mutatedBytes(streams), fc.uint8Array({ maxLength: 300 })), cuts);
  await fuzz('streams of any bytes', inputs, 1500, async ([provider, bytes, at]) => {
    const sent = await understood(provider, { bytes, cuts: at, stream: true });
    const whole = await understood(provider, { bytes, cuts: [], stream: true });
    expect(sent).toEqual(whole);
    expect(['reply', 'lost']).toContain(sent.kind);
  });
});

test('any JSON in place of an answer is an answer or an error of the model, with whole counts', {
  timeout: LONG,
}, async () => {
  await fuzz('whole answers', fc.tuple(providers, mutatedJson(wholes)), 3000, ([provider, value]) => {
    const reply = PROVIDERS[provider].read(value);
    if (reply.kind === 'error') expect(typeof reply.message).toBe('string');
    else for (const part of reply.parts) expect(isPart(part as unknown as Json)).toBe(true);
    const { usage } = reply;
    for (const count of Object.values(usage ?? {})) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
    const stream = PROVIDERS[provider].openStream();
    stream.take(value);
    stream.take(null);
    expect(['answer', 'error']).toContain(stream.end().kind);
  });
});

test('any text in place of the events of an agent is an answer or an error of the agent', {
  timeout: LONG,
}, async () => {
  const read = (body: string) => readAnswer({ status: 200, contentType: 'text/event-stream', body }, null);
  for (const stream of streams) expect(read(stream.toString())).toEqual({ text: TEXT });
  const texts = mutatedTexts(streams.map((stream) => stream.toString())).map(({ text }) => text);
  await fuzz('events of agents', fc.oneof(texts, fc.string({ unit: 'binary', maxLength: 300 })), 1500, (body) => {
    const said = read(body);
    expect(typeof ('text' in said ? said.text : said.error)).toBe('string');
  });
});

const HEADERS = [
  'retry-after',
  'retry-after-ms',
  'x-ratelimit-reset-tokens',
  'x-ratelimit-remaining-tokens',
  'x-should-retry',
];
const KEY = 'sk-canary-0123456789"ä';

test('any refusal is judged, waits a bounded time, and names no part of the key', { timeout: LONG }, async () => {
  const headers = fc.dictionary(
    fc.constantFrom(...HEADERS),
    mutatedTexts(['120', '6m0s', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '9e99', '0']).map(({ text }) => text),
  );
  const said = mutatedTexts([
    JSON.stringify({ error: { message: 'Wrong key @@.', code: 'insufficient_quota' } }),
    `<html>${' '.repeat(170)}@@</html>`,
  ]).map(({ text }) => text);
  const forms = [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')];
  const inputs = fc.record({
    status: fc.integer({ min: 100, max: 599 }),
    headers,
    said,
    form: fc.constantFrom(...forms),
  });
  await fuzz('refusals', inputs, 2000, ({ said: text, form, ...refusal }) => {
    const sent = { kind: 'status', ...refusal, text: text.replaceAll('@@', form) } as const;
    const masked = maskExchange(sent, keyMask(KEY));
    if (masked.kind === 'reply') throw new Error('a refusal became a reply');
    const judged = judgeFailure(masked, 1_800_000_000_000);
    const wait = retryAfterMs(refusal.headers, 1_800_000_000_000);
    expect(wait === null || wait >= 0).toBe(true);
    if (judged.retry) expect(judged.waitMs ?? 0).toBeLessThanOrEqual(600_000);
    expect(judged.message).not.toContain('sk-canary');
    expect(judged.message).not.toContain(forms[3]?.slice(0, 12));
  });
});

test('lines are the same, wherever the pipe cuts them, and a long one is given up', { timeout: LONG }, async () => {
  const texts = mutatedBytes([Buffer.from('{"jsonrpc": "2.0", "id": 1, "result": {}}\r\n\n[]\nGrüße 😀\nlast')]);
  await fuzz('lines of a pipe', fc.tuple(texts, cuts), 3000, ([bytes, at]) => {
    const lines: string[] = [];
    const reader = new LineReader(64, (line) => void lines.push(line));
    let whole = true;
    let from = 0;
    for (const cut of [...[...at].sort((a, b) => a - b), bytes.length]) {
      if (cut < from || cut > bytes.length) continue;
      whole &&= reader.add(Buffer.from(bytes.subarray(from, cut)));
      from = cut;
    }
    const expected = Buffer.from(bytes).toString('latin1').split('\n');
    expect(whole).toBe(expected.every((line) => line.length <= 64));
    if (whole) expect(lines.length).toBe(expected.length - 1);
  });
});

test('any result of an MCP server is a value within its limits, or an error', { timeout: LONG }, async () => {
  const sound = [
    { content: [{ type: 'text', text: 'found' }], isError: false, structuredContent: { a: [1] } },
    {
      contents: [
        { uri: 'file:///a', text: 'x' },
        { uri: 'b', blob: 'eA==' },
      ],
    },
  ];
  const inputs = fc.tuple(fc.constantFrom('tool' as const, 'resource' as const), mutatedJson(sound));
  await fuzz('MCP results', inputs, 3000, ([op, result]) => {
    const request = { port: 'mcp', op, server: 'shop', target: 'find\u001b', args: null } as const;
    const answer = mcpAnswer(request, 'shop', result, (text) => text.replaceAll('found', '[gone]'));
    // Whole numbers may have any length.
    const text = JSON.stringify(answer, integerAsText);
    expect(text.length).toBeLessThan(3 << 20);
    expect(text).not.toContain('found');
  });
});

test('any answer of a collector is taken, refused in part, or a warning', { timeout: LONG }, async () => {
  const message = { path: '/v1/traces', body: '{}', holds: '3 spans' };
  const sound = ['{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}', '{"partial_success":{}}', ''];
  await fuzz('collector answers', mutatedTexts(sound), 500, ({ text }) => {
    const { refused = '', warning = '' } = otlpSender.answered?.(text, message) ?? {};
    expect(refused === '' || /^it refused [1-9]\d* of 3 spans/.test(refused)).toBe(true);
    expect(typeof warning).toBe('string');
  });
});

test('any answer of an agent says whole tokens of both kinds, or none', { timeout: LONG }, async () => {
  const sound = [
    '{"usage":{"prompt_tokens":7,"completion_tokens":3},"model":"m"}',
    '{"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}',
  ];
  await fuzz('costs of answers', mutatedTexts(sound), 2000, ({ text }) => {
    const { usage, model } = textMetadata(text);
    expect(model === null || model.length <= 200).toBe(true);
    const counts = usage === null ? [] : [usage.promptTokens, usage.completionTokens];
    expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
  });
});

test('any request to tools that are served is answered, and calls nothing but tools', { timeout: LONG }, async () => {
  const calls: string[] = [];
  const server = await openSessionServer(true);
  onTestFinished(() => server.close());
  const { toolsUrl } = server.serve({
    model: null,
    tools: {
      list: [{ name: 'pay', description: '', parameters: {} }],
      call: (name, args) => {
        calls.push(name);
        return { text: JSON.stringify(args), isError: false };
      },
    },
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: { cents: 1 } } };
  const sound = [call, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, [call]].map((one) => JSON.stringify(one));
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  await fuzz('requests to served tools', mutatedTexts(sound), 300, async ({ text }) => {
    const before = calls.length;
    const response = await fetch(toolsUrl, { method: 'POST', headers, body: text });
    expect([200, 202, 400, 413]).toContain(response.status);
    await response.text();
    expect(calls.length - before).toBeLessThanOrEqual(text.split('tools/call').length - 1);
  });
});

test('any JSON in place of scores is a score from 0 to 1 for each pair, or an error of the model', {
  timeout: LONG,
}, async () => {
  const says = (texts: readonly string[]) =>
    ({ role: 'user', parts: texts.map((text) => ({ kind: 'text', text })) }) as const;
  const question = { messages: [says(['a']), says(['b', 'c'])] } as unknown as Question;
  const answers = [
    { data: [0, 1, 2].map((index) => ({ index, embedding: [index, 1e308, -2] })), usage: { prompt_tokens: 3 } },
    { results: [1, 0].map((index) => ({ index, relevance_score: index / 2 })), meta: { tokens: { input_tokens: 3 } } },
    [0, 1].map((index) => ({ index, score: 0.5 })),
  ];
  const scorers = fc.constantFrom(...SCORER_PROVIDERS);
  await fuzz('scores', fc.tuple(scorers, mutatedJson(answers)), 2000, ([provider, value]) => {
    const reply = PROVIDERS[provider].readScores?.(value, question);
    if (reply?.kind !== 'answer') return expect(typeof reply?.message).toBe('string');
    const [part] = reply.parts;
    const reading = readPairScores(part?.kind === 'text' ? part.text : '', 1, 2);
    expect(reading).toMatchObject({ ok: true, scores: [expect.any(Number)] });
  });
});
