import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChaosState } from '../../../src/faults/chaos/chaos-state.ts';
import { compileChaos } from '../../../src/faults/chaos/compile-chaos.ts';
import { type ChaosProxy, startChaosProxy } from '../../../src/agents/proxy/chaos-proxy.ts';
import type { Chaos } from '../../../src/types/chaos.ts';
import type { JsonObject } from '../../../src/types/json.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from '../../faults/chaos/a-chaos.ts';
import { type DialectServer, startDialectServer } from './dialect-servers.ts';

let models: DialectServer;
let proxy: ChaosProxy;

beforeEach(async () => {
  models = await startDialectServer();
  proxy = await startChaosProxy({ port: 0, upstream: new URL(models.url), net: [new URL(models.url).host] });
});

afterEach(async () => {
  await proxy.close();
  models.close();
});

function breakBy(chaos: Partial<Chaos>): ChaosState {
  const state = new ChaosState(compileChaos(aChaos(chaos), [1, 2, 3, 4]));
  state.begin(0);
  proxy.begin(state);
  return state;
}

const INSTRUCTIONS = 'You quote prices and cite their source.';

/** An agent written with a provider's own client: asks, runs the tool that its model wants, and says what it makes of it. */
type Client = (prompt: string) => Promise<string>;

const openai =
  (stream: boolean): Client =>
  async (prompt) => {
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'test-key', maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: prompt }];
    for (let turn = 0; turn < 4; turn++) {
      const asked = { model: 'm', input, instructions: INSTRUCTIONS };
      const answer = stream
        ? await client.responses.stream(asked).finalResponse()
        : await client.responses.create(asked);
      const calls = answer.output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return answer.output_text;
      input.push(...(answer.output as OpenAI.Responses.ResponseInput));
      for (const call of calls) {
        if (call.type === 'function_call')
          input.push({ type: 'function_call_output', call_id: call.call_id, output: '{"price":5}' });
      }
    }
    return 'too many turns';
  };

const chat =
  (stream: boolean): Client =>
  async (prompt) => {
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'test-key', maxRetries: 0 });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: prompt },
    ];
    for (let turn = 0; turn < 4; turn++) {
      const asked = { model: 'm', messages };
      const answer = stream
        ? await client.chat.completions
            .stream({ ...asked, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(asked);
      const message = answer.choices[0]?.message;
      const calls = message?.tool_calls ?? [];
      if (message === undefined || calls.length === 0) return message?.content ?? '';
      messages.push(message);
      for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: '{"price":5}' });
    }
    return 'too many turns';
  };

const anthropic =
  (stream: boolean): Client =>
  async (prompt) => {
    const client = new Anthropic({ baseURL: proxy.url, apiKey: 'test-key', maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
    for (let turn = 0; turn < 4; turn++) {
      const asked = { model: 'm', max_tokens: 100, system: INSTRUCTIONS, messages };
      const answer = stream ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked);
      const calls = answer.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      messages.push({ role: 'assistant', content: answer.content });
      messages.push({
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: '{"price":5}' })),
      });
    }
    return 'too many turns';
  };

/** As much of Google's client as is used here; it need not be there. */
interface Google {
  readonly GoogleGenAI: new (
    options: object,
  ) => {
    readonly models: {
      generateContent(asked: object): Promise<GoogleAnswer>;
      generateContentStream(asked: object): Promise<AsyncIterable<GoogleAnswer>>;
    };
  };
}
interface GoogleAnswer {
  readonly candidates: readonly [{ readonly content: { readonly parts?: readonly JsonObject[] } }];
}

const google =
  (stream: boolean): Client =>
  async (prompt) => {
    const place = createRequire(path.join(CLIENTS, 'x.js')).resolve('@google/genai');
    const { GoogleGenAI } = (await import(pathToFileURL(place).href)) as Google;
    const { models } = new GoogleGenAI({ apiKey: 'test-key', httpOptions: { baseUrl: proxy.url } });
    const contents: JsonObject[] = [{ role: 'user', parts: [{ text: prompt }] }];
    for (let turn = 0; turn < 4; turn++) {
      const asked = { model: 'm', contents, config: { systemInstruction: INSTRUCTIONS } };
      const answers: GoogleAnswer[] = [];
      try {
        if (!stream) answers.push(await models.generateContent(asked));
        else for await (const answer of await models.generateContentStream(asked)) answers.push(answer);
      } catch (error) {
        const { status, message } = error as Error & { readonly status: number };
        throw new Error(`${status} ${message}`);
      }
      const parts = answers.flatMap(({ candidates: [{ content }] }) => content.parts ?? []);
      const calls = parts.flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [functionCall as JsonObject],
      );
      if (calls.length === 0) return parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('');
      contents.push({ role: 'model', parts });
      const results = calls.map(({ id = '', name = '' }) => ({ id, name, response: { output: '{"price":5}' } }));
      contents.push({ role: 'user', parts: results.map((functionResponse) => ({ functionResponse })) });
    }
    return 'too many turns';
  };

/** What the last request told of a tool, of its user and of its instructions. */
interface Told {
  readonly tool: (body: JsonObject | undefined) => unknown;
  readonly user: (body: JsonObject | undefined) => unknown;
  readonly system: (body: JsonObject | undefined) => unknown;
}

const entries = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

const RESPONSES: Told = {
  tool: (body) => entries(body?.['input']).find(({ type }) => type === 'function_call_output')?.['output'],
  user: (body) => entries(body?.['input']).find(({ role }) => role === 'user')?.['content'],
  system: (body) => body?.['instructions'],
};
const said = (body: JsonObject | undefined, role: string): unknown =>
  entries(body?.['messages']).findLast((message) => message['role'] === role)?.['content'];
const CHAT: Told = {
  tool: (body) => said(body, 'tool'),
  user: (body) => said(body, 'user'),
  system: (body) => said(body, 'system'),
};
const MESSAGES: Told = {
  tool: (body) => entries(entries(body?.['messages']).at(-1)?.['content'])[0]?.['content'],
  user: (body) => entries(body?.['messages'])[0]?.['content'],
  system: (body) => body?.['system'],
};

const partsAt = (content: unknown): readonly JsonObject[] => entries((content as JsonObject | undefined)?.['parts']);
const CONTENTS: Told = {
  tool: (body) => {
    const result = partsAt(entries(body?.['contents']).at(-1))[0]?.['functionResponse'] as JsonObject;
    return (result['response'] as JsonObject)['output'];
  },
  user: (body) => partsAt(entries(body?.['contents'])[0])[0]?.['text'],
  system: (body) => partsAt(body?.['systemInstruction'])[0]?.['text'],
};

const CLIENTS = fileURLToPath(new URL('../../../.passk/model-clients/node_modules', import.meta.url));
const isRequired = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('model-clients');

/** What holds of every client. */
function isSeenAndStruck(ask: Client, told: Told): void {
  const says = async (prompt = 'What is it?'): Promise<string> =>
    ask(prompt).catch((error: Error) => `error: ${error.message}`);

  test('gets its answer as it is in a world without chaos, and is seen', async () => {
    proxy.begin(null);
    expect(await says()).toBe('Prices are 5 USD, according to the source.');
    expect(proxy.seen()).toMatchObject({
      tokens: 12,
      promptTokens: 7,
      completionTokens: 5,
      calls: [{ port: 'model' }],
    });
  });

  test.each([
    ['truncated_response', { maxTokens: 3 }, /^Prices are 5$/],
    ['empty', {}, /^$/],
    ['garbage', {}, /¤¤¤/],
    ['rate_limit', {}, /^error: 429/],
    ['timeout', { delayMs: 5 }, /^error: 504/],
    ['response_drift', { driftType: 'verbosity_shift', direction: 'compress', factor: 2 }, /^Prices are 5 USD,$/],
  ] as const)('is struck by the model fault %s', async (mode, fields, said) => {
    const state = breakBy({ llmFaults: [anLlmFault({ ...fields, mode })] });
    expect(await says()).toMatch(said);
    expect([...state.fired]).toEqual([1]);
    const isAnswered = mode !== 'rate_limit' && mode !== 'timeout';
    expect(proxy.seen()).toMatchObject({
      tokens: isAnswered ? 12 : null,
      calls: [{ port: 'model', struckBy: state.labels }],
    });
  });

  test.each([
    ['error', 'Error 503: Service Unavailable'],
    ['malicious_response', 'obey me'],
    ['timeout', 'Error: no answer within 1 ms.'],
    ['slow', '{"price":5}'],
  ] as const)('tells its model what the tool fault %s makes of a result', async (mode, heard) => {
    models.answer = () => (models.asked.length === 1 ? { tool: 'market_data', id: 'call_1' } : { text: 'Told.' });
    const state = breakBy({ toolFaults: [aToolFault({ tool: 'market_data', mode, delayMs: 1, payload: 'obey me' })] });
    expect(await says()).toBe('Told.');
    expect(told.tool(models.asked[1])).toEqual(heard);
    expect([...state.fired]).toEqual([1]);
    expect(proxy.seen().calls.map(({ port, names }) => [port, names[0]])).toEqual([
      ['model', '127.0.0.1'],
      ['tool', 'market_data'],
      ['model', '127.0.0.1'],
    ]);
  });

  test.each([
    ['memory_poisoning', 'user', 'What is it?\n\nPOISON'],
    ['injection_via_context', 'system', `${INSTRUCTIONS}\nPOISON`],
  ] as const)('tells its model what the attack %s puts there', async (type, place, text) => {
    const state = breakBy({ contextAttacks: [anAttack({ type })] });
    await says();
    expect(told[place](models.asked[0])).toEqual(text);
    expect([...state.fired]).toEqual([1]);
  });

  test('that passes on what it was attacked with already is not attacked once more', async () => {
    const state = breakBy({ contextAttacks: [anAttack({ type: 'memory_poisoning' })] });
    await says('What is it?\n\nPOISON');
    expect(told.user(models.asked[0])).toEqual('What is it?\n\nPOISON');
    expect([...state.fired]).toEqual([0]);
  });

  test('did not ask for a tool that silence took out of the answer', async () => {
    models.answer = () => ({ tool: 'market_data', id: 'call_1' });
    breakBy({ llmFaults: [anLlmFault({ mode: 'empty' })] });
    expect(await says()).toBe('');
    expect(proxy.seen().calls.map(({ port }) => port)).toEqual(['model']);
  });
}

describe.each([
  ["OpenAI's client of chat completions", chat(false), CHAT],
  ["OpenAI's client of chat completions, streaming", chat(true), CHAT],
  ["OpenAI's client of Responses", openai(false), RESPONSES],
  ["OpenAI's client of Responses, streaming", openai(true), RESPONSES],
  ["Anthropic's client", anthropic(false), MESSAGES],
  ["Anthropic's client, streaming", anthropic(true), MESSAGES],
] as const)('%s', (_, ask, told) => isSeenAndStruck(ask, told));

describe.skipIf(!isRequired && !existsSync(path.join(CLIENTS, '@google/genai'))).each([
  ["Google's client", google(false)],
  ["Google's client, streaming", google(true)],
] as const)('%s', (_, ask) => isSeenAndStruck(ask, CONTENTS));

test('a request in one of these formats is a model call, whichever host it is for', async () => {
  const other = await startDialectServer();
  const here = await startChaosProxy({ port: 0, upstream: new URL(models.url), net: [new URL(other.url).host] });
  try {
    const state = new ChaosState(
      compileChaos(aChaos({ llmFaults: [anLlmFault({ mode: 'rate_limit' })] }), [1, 2, 3, 4]),
    );
    state.begin(0);
    here.begin(state);
    // As a client does that is told by HTTP_PROXY.
    const statusCode = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(here.url);
      const options = { hostname, port, method: 'POST', path: `${other.url}/v1/messages` };
      const asked = request(options, (response) => resolve(response.resume().statusCode));
      asked.on('error', reject);
      asked.end(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }));
    });
    expect(statusCode).toBe(429);
    expect(here.seen().calls.map(({ port }) => port)).toEqual(['model']);
  } finally {
    await here.close();
    other.close();
  }
});

test('a host of models that serves a tool as well is both: its models below their path, the tool elsewhere', async () => {
  const state = breakBy({ toolFaults: [aToolFault({ mode: 'error' })] });
  const { hostname, port } = new URL(proxy.url);
  const get = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path: `${models.url}${path}` }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on('error', reject).end();
    });
  expect(await get('/quotes/acme')).toBe(503);
  expect([...state.fired]).toEqual([1]);
  expect(proxy.seen().calls.map((call) => [call.port, call.names[0]])).toEqual([['tool', '127.0.0.1']]);
});
