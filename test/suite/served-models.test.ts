import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSuite, renderReport, runSuite, type RunSuiteOptions, type SampledScenario } from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-served-models-'));
const CLIENTS = fileURLToPath(new URL('../../.passk/model-clients/node_modules', import.meta.url));
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('model-clients');
const KEY = 'PASSK_TEST_MODEL_KEY';
let provider: ModelServer;
beforeAll(async () => {
  process.env[KEY] = 'a-key-of-the-user';
  provider = await startModelServer(() => answer('Good day.'));
});
afterAll(async () => {
  delete process.env[KEY];
  rmSync(cwd, { recursive: true, force: true });
  await provider.close();
});

/** What an agent is given. */
interface Given {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: string;
  readonly model: string;
}

const TEMPLATE = `'{"messages": {messages}, "tools": "{tools_url}", "model": "{model_url}"}'`;
const TURNS = `turns = [
  { calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
]`;

let count = 0;

/** A till whose agent asks the model "desk" through passk. */
function aTill(agent: string, session = ''): string {
  const file = `till${count++}.toml`;
  writeFileSync(
    path.join(cwd, file),
    `name = "till"
min_pass_rate = 0
[session]
system = "You take money."
${session}
[state]
paid = []
[[tools]]
name = "pay"
description = "Takes money."
parameters = { properties = { cents = { type = "integer", minimum = 1 } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
result = "booked {{args.cents}}"
[[agents]]
name = "mine"
${agent}
[[tasks]]
name = "take money"
user = { opening = "I pay 12 euros." }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
`,
  );
  return file;
}

async function held(file: string, options: RunSuiteOptions = {}) {
  const permissions = { net: ['127.0.0.1'] };
  const report = await runSuite({ cwd, paths: [file], seed: 1, workers: 0, trials: 1, permissions, ...options });
  return { report, scenario: report.scenarios[0] as SampledScenario };
}

/** An agent over HTTP that does this with each message. */
async function anAgent(act: (given: Given) => Promise<string>, keys = TURNS): Promise<string> {
  const server = await anHttpServer((_, response) => {
    const given = JSON.parse(server.seen.at(-1)?.body ?? '') as Given;
    void (async () => act(given))().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return `endpoint = "${server.origin}"\nmodel = "desk"\nrequest_template = ${TEMPLATE}\n${keys}`;
}

async function post(url: string, body: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

/** What one message of chat completions says. */
const saidIn = (body: unknown): string =>
  (body as { choices: [{ message: { content: string } }] }).choices[0].message.content;

/** An agent without a framework: asks its model, with keys that passk knows nothing of. */
const byHand = async ({ messages, model }: Given): Promise<string> => {
  const { status, body } = await post(`${model}/chat/completions`, { model: 'gpt-5', messages, top_p: 0.5, seed: 7 });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return saidIn(body);
};

/** What every kind of client does here: `ask` gives what the model says and the calls that it asks for. */
interface Chat {
  ask(): Promise<{ readonly text: string; readonly calls: readonly { readonly id: string; readonly args: unknown }[] }>;
  told(id: string, result: string): void;
}

async function converse(chat: Chat, { tools }: Given): Promise<string> {
  for (;;) {
    const { text, calls } = await chat.ask();
    if (calls.length === 0) return text;
    const client = new Client({ name: 'till', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(tools)) as Parameters<typeof client.connect>[0]);
    for (const { id, args } of calls) {
      const { content } = await client.callTool({ name: 'pay', arguments: args as Record<string, unknown> });
      chat.told(id, JSON.stringify(content));
    }
    await client.close();
  }
}

const parameters = { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] };

interface Opening extends Given {
  readonly load: (name: string) => Promise<object>;
  readonly stream: boolean;
}

/** Written in JavaScript: the types of the SDKs need not be there. */
const { conversations } = (await import(new URL('../support/model-conversations.mjs', import.meta.url).href)) as {
  readonly conversations: Readonly<Record<string, (opening: Opening) => Promise<Chat>>>;
};

const load = (name: string): Promise<object> =>
  import(pathToFileURL(createRequire(path.join(CLIENTS, 'x.js')).resolve(name)).href) as Promise<object>;

async function spoken(kind: string, given: Given, stream: boolean): Promise<string> {
  const open = conversations[kind];
  if (open === undefined) throw new TypeError(kind);
  return converse(await open({ ...given, load, stream }), given);
}

/** Gemini's requests name it in their path. */
const modelIn = ({ body, path: asked }: ModelServer['asked'][number]): unknown =>
  body['model'] ?? /models\/([^:]+):/.exec(asked)?.[1];

const CLIENT_KINDS = [
  ['OpenAI, chat completions', 'openai', 'openaiChat'],
  ['OpenAI, responses', 'openai-responses', 'openaiResponses'],
  ['Anthropic, messages', 'anthropic', 'anthropicMessages'],
  ['Google, generateContent', 'gemini', 'geminiContents'],
] as const;

describe('a model that is served to an agent outside', () => {
  describe.skipIf(!existsSync(CLIENTS) && !required).each(CLIENT_KINDS)(
    'is asked by the SDK of %s',
    (_, name, kind) => {
      test.each([false, true])('with canned turns (stream: %s)', async (stream) => {
        const agent = await anAgent((given) => spoken(kind, given, stream));
        const { scenario } = await held(aTill(agent), { trials: 2 });
        expect(scenario.failures).toEqual([]);
        expect(scenario.trials).toMatchObject({ passed: 2, broken: 0 });
        expect(scenario.session).toMatchObject({ calls: 2, validCalls: 2 });
        // Two calls of the model in each session, whose canned answers have no tokens.
        expect(scenario.cost.total).toMatchObject({ llmCalls: 4, llmTokens: 0 });
      });

      test.each([false, true])('which a real provider answers (stream: %s)', async (stream) => {
        provider.behave = ({ text }) =>
          text.includes('booked 1200')
            ? answer('Thank you.', { usage: { prompt: 30, completion: 4 } })
            : answer('', {
                calls: [{ id: 'call_7', name: 'pay', args: { cents: 1200 } }],
                usage: { prompt: 20, completion: 5 },
              });
        const from = provider.asked.length;
        const agent = await anAgent((given) => spoken(kind, given, stream), '');
        const endpoint = {
          provider: name,
          model: 'real-one',
          baseUrl: name.startsWith('openai') ? provider.openaiUrl : provider.url,
          apiKeyEnv: KEY,
          price: { input: 1, output: 2 },
        };
        const options = { live: true, models: { desk: endpoint }, ledger: true } as RunSuiteOptions;
        const { report, scenario } = await held(aTill(agent), options);
        expect(scenario.trials).toMatchObject({ passed: 1, broken: 0 });
        const asked = provider.asked.slice(from);
        expect(asked.map((one) => [one.protocol, modelIn(one), one.stream])).toEqual([
          [name, 'real-one', false],
          [name, 'real-one', false],
        ]);
        // The key is passk's, and the agent has none.
        expect(JSON.stringify(asked[0]?.headers)).toContain('a-key-of-the-user');
        expect(scenario.cost.total).toMatchObject({ llmCalls: 2, promptTokens: 50, completionTokens: 9 });
        expect(report.live?.models).toMatchObject([{ calls: 2, promptTokens: 50, completionTokens: 9 }]);
      });
    },
  );

  test('gets what the agent wrote and no more, and the agent what the provider wrote', async () => {
    const body = {
      choices: [{ message: { role: 'assistant', content: 'Hm.' }, finish_reason: 'stop' }],
      flavour: 'sour',
    };
    provider.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
    const seen: unknown[] = [];
    const from = provider.asked.length;
    const agent = await anAgent(async ({ model, messages }) => {
      const asked = { model: 'gpt-5', messages, top_p: 0.5, seed: 7, stop: ['x'], max_tokens: 500 };
      const { body } = await post(`${model}/chat/completions`, asked);
      seen.push(body);
      return saidIn(body);
    }, '');
    const endpoint = {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: provider.openaiUrl,
      maxTokens: 100,
    } as const;
    const { scenario } = await held(aTill(agent), { live: true, models: { desk: endpoint } });
    expect(provider.asked.slice(from).map((one) => one.body)).toEqual([
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'You take money.' },
          { role: 'user', content: 'I pay 12 euros.' },
        ],
        top_p: 0.5,
        seed: 7,
        stop: ['x'],
        max_tokens: 100,
      },
    ]);
    expect(seen).toEqual([body]);
    expect(scenario.trials.failed).toBe(1);
  });

  test('is asked in the words of Gemini as in the others: by its cap, for its model, with its tools', async () => {
    provider.behave = () => answer('Hm.');
    const from = provider.asked.length;
    const written = {
      contents: [{ parts: [{ text: 'I pay.' }] }],
      systemInstruction: { parts: [{ text: 'You take money.' }] },
      generationConfig: { topP: 0.5, maxOutputTokens: 500 },
      tools: [{ functionDeclarations: [{ name: 'pay', description: 'Pays.', parametersJsonSchema: parameters }] }],
    };
    const ask = async ({ model }: Given): Promise<string> => {
      const { body } = await post(`${model}beta/models/gemini-3:generateContent`, written);
      return (body as { candidates: [{ content: { parts: { text: string }[] } }] }).candidates[0].content.parts.at(-1)
        ?.text as string;
    };
    const file = aTill(await anAgent(ask, ''));
    const endpoint = { provider: 'gemini', model: 'real-one', baseUrl: provider.url, maxTokens: 100 } as const;
    const real = await held(file, { live: true, models: { desk: endpoint } });
    expect(real.scenario.trials).toMatchObject({ failed: 1, broken: 0 });
    const [asked] = provider.asked.slice(from);
    expect(asked?.path).toBe('/v1beta/models/real-one:generateContent');
    expect(asked?.body).toEqual({ ...written, generationConfig: { topP: 0.5, maxOutputTokens: 100 } });
    const questions: unknown[] = [];
    const desk = (question: unknown) => {
      questions.push(question);
      return { content: 'I cannot.', promptTokens: 3, completionTokens: 2 };
    };
    const { scenario } = await held(file, { models: { desk } });
    expect(questions).toMatchObject([
      {
        messages: [
          { role: 'system', content: 'You take money.' },
          { role: 'user', content: 'I pay.' },
        ],
        tools: [{ name: 'pay', description: 'Pays.', parameters }],
      },
    ]);
    expect(scenario.cost.total).toMatchObject({ llmCalls: 1, promptTokens: 3, completionTokens: 2 });
  });

  test('may be a function of the user, which gets messages and tools', async () => {
    const asked: unknown[] = [];
    const desk = (question: unknown) => {
      asked.push(question);
      return { content: 'I cannot.', promptTokens: 3, completionTokens: 2 };
    };
    const agent = await anAgent(async ({ model, messages }) => {
      const tools = [{ type: 'function', function: { name: 'pay', description: 'Pays.', parameters } }];
      return saidIn((await post(`${model}/chat/completions`, { messages, tools })).body);
    }, '');
    const { scenario } = await held(aTill(agent), { models: { desk } });
    expect(asked).toMatchObject([
      {
        messages: [
          { role: 'system', content: 'You take money.' },
          { role: 'user', content: 'I pay 12 euros.' },
        ],
        tools: [{ name: 'pay', description: 'Pays.', parameters }],
      },
    ]);
    expect(scenario.cost.total).toMatchObject({ llmCalls: 1, promptTokens: 3, completionTokens: 2 });
  });

  test('is told to programs by the variables that their clients look for, with a key that opens nothing', async () => {
    const script = `const { OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL, PASSK_MODEL_URL } = process.env;
const { GOOGLE_GEMINI_BASE_URL, GEMINI_API_KEY } = process.env;
const ask = async (url, body) => (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
const first = await ask(OPENAI_BASE_URL + '/chat/completions', { messages: [] });
const second = await ask(ANTHROPIC_BASE_URL + '/v1/messages', { messages: [], model: OPENAI_API_KEY });
const third = await ask(GOOGLE_GEMINI_BASE_URL + '/v1beta/models/' + GEMINI_API_KEY + ':generateContent', {});
console.log(first.choices[0].message.content, second.content[0].text, second.model, PASSK_MODEL_URL === OPENAI_BASE_URL,
  third.candidates[0].content.parts[0].text, third.modelVersion);`;
    writeFileSync(path.join(cwd, 'desk.mjs'), script);
    const turns = `turns = [{ says = "One." }, { says = "Two." }, { says = "Three." }]`;
    const agent = `command = ["node", "desk.mjs"]\nmodel = "desk"\nstateless = true\n${turns}`;
    const { scenario } = await held(aTill(agent), { permissions: { run: ['node'] } });
    expect(JSON.stringify(scenario.failures[0]?.record?.turns)).toContain('One. Two. passk true Three. passk');
  });

  test('gives the same bytes for any number of workers', async () => {
    const turns = `turns = [{ variants = [{ says = "Yes." }, { calls = [{ tool = "pay", args = { cents = 1 } }] }] }, { says = "No." }]`;
    const file = aTill(await anAgent(byHand, turns));
    const bytes = async (options: RunSuiteOptions) =>
      renderReport((await held(file, { trials: 12, ...options })).report, { reporter: 'json', timing: false });
    const one = await bytes({ concurrency: 1 });
    expect(JSON.parse(one)).toMatchObject({ summary: { trials: { broken: 0 } } });
    expect(await bytes({ workers: 2, concurrency: 4 })).toBe(one);
  });

  test.each([
    [
      'the agent never asks it',
      async () => 'Thank you.',
      { status: 'broken', reason: expect.stringContaining('without asking its model at {model_url}') },
    ],
    [
      'its canned answers are used up',
      async (given: Given) => (await byHand(given)) + (await byHand(given)) + (await byHand(given)),
      { status: 'errored', reason: expect.stringContaining('It gave no answer: HTTP 500') },
    ],
    [
      'the agent asks for something else',
      async ({ model }: Given) => JSON.stringify(await post(`${model}/embeddings`, {})),
      { status: 'broken', reason: expect.stringContaining('without asking') },
    ],
  ])('has a reason of its own where %s', async (_, act, ending) => {
    const { scenario } = await held(aTill(await anAgent(act)));
    expect(scenario.failures[0]?.record?.ending).toMatchObject(ending);
  });

  test('breaks the trial where it takes another format than the agent writes, or cannot be asked', async () => {
    const file = aTill(await anAgent(byHand, ''));
    const other = { provider: 'anthropic', model: 'm', baseUrl: provider.url } as const;
    const nobody = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 } as const;
    for (const [desk, reason] of [
      [other, 'asks its model in the format "chat", and the model "desk" takes the format "messages"'],
      [nobody, 'openai-compatible "m" at 127.0.0.1:9'],
    ] as const) {
      const { scenario } = await held(file, { live: true, models: { desk } });
      expect(scenario.trials).toMatchObject({ broken: 1 });
      expect(JSON.stringify(scenario)).toContain(reason.replaceAll('"', '\\"'));
    }
  });

  test('is asked within the budget of the run, and not without consent', async () => {
    provider.behave = () => answer('Hm.', { usage: { prompt: 10, completion: 10 } });
    const file = aTill(await anAgent(byHand, ''));
    const desk = { provider: 'openai-compatible', model: 'm', baseUrl: provider.openaiUrl, maxTokens: 100 } as const;
    const { report } = await held(file, { live: true, models: { desk }, trials: 50, maxTokens: 600, concurrency: 1 });
    expect(report.live).toMatchObject({ stoppedBy: 'budget' });
    await expect(held(file)).rejects.toThrow('asks the model "desk", which costs money');
    await expect(held(file, { live: true })).rejects.toThrow('Nobody says where "desk"');
  });

  test('gives no more answers, nor tools, when those so far passed the limit of tokens', async () => {
    const seen: unknown[] = [];
    const agent = await anAgent(async (given) => {
      for (;;) {
        const { status, body } = await post(`${given.model}/chat/completions`, { model: 'm', messages: [] });
        seen.push(status);
        if (status !== 200) throw new Error(JSON.stringify(body));
      }
    }, 'turns = [{ calls = [{ tool = "pay", args = { cents = 7 } }], completion_tokens = 30, repeat = true }]');
    const { scenario } = await held(aTill(agent, 'tokens = 70'));
    expect(seen).toEqual([200, 200, 200, 400]);
    const { record } = scenario.failures[0] ?? {};
    expect(record?.session?.end).toBe('token_limit');
    expect(record?.counters).toMatchObject({ llmCalls: 3, llmTokens: 90 });
  });

  test('is over with its session', async () => {
    let url = '';
    const agent = await anAgent((given) => {
      url = given.model;
      return byHand(given);
    }, 'turns = [{ says = "Hm.", repeat = true }]');
    await held(aTill(agent));
    await expect(post(`${url}/chat/completions`, {})).rejects.toThrow();
  });

  test.each([
    ['no place', 'endpoint = "http://x.example"\nmodel = "desk"', 'model_untold'],
    ['no model', `endpoint = "http://x.example/?{model_url}"\nstateless = true`, 'no_model'],
    ['turns of nobody', `command = ["x"]\nstateless = true\n${TURNS}`, 'unused_key'],
    ['keys of functions', `command = ["x"]\nstateless = true\nmodel = "desk"\nformat = "chat"`, 'unused_key'],
  ])('is an error of the file where there is %s', async (_, agent, code) => {
    const { issues } = await loadSuite({ cwd, paths: [aTill(agent)] });
    expect(issues.filter(({ severity }) => severity === 'error').map((issue) => issue.code)).toEqual([code]);
  });
});
