import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSuite, runSuite, type RunSuiteOptions, type SampledScenario } from '../../src/index.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-functions-'));
const KEY = 'PASSK_TEST_DESK_KEY';
let server: ModelServer;
beforeAll(async () => {
  process.env[KEY] = 'a-key-of-the-desk';
  server = await startModelServer(() => answer('Good day.'));
});
afterAll(async () => {
  delete process.env[KEY];
  rmSync(cwd, { recursive: true, force: true });
  await server.close();
});

const till = (agent: string): string => `name = "till"
trials = 2
[session]
system = "You take money."
calls = 3
[state]
paid = []
[[tools]]
name = "pay"
description = "Takes money."
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
result = "booked {{args.cents}}"
[[agents]]
name = "desk"
tools = "functions"
${agent}
[[tasks]]
name = "take money"
user = { opening = "I pay 12 euros." }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
`;

let count = 0;

function write(agent: string): string {
  const file = `till${count++}.toml`;
  writeFileSync(path.join(cwd, file), till(agent));
  return file;
}

async function held(agent: string, options: RunSuiteOptions = {}) {
  const permissions = { net: [new URL(server.url).host], env: [KEY] };
  const report = await runSuite({ cwd, paths: [write(agent)], seed: 1, workers: 0, permissions, ...options });
  return { report, scenario: report.scenarios[0] as SampledScenario };
}

const chat = (): string => `endpoint = "${server.openaiUrl}/chat/completions"\nmodel = "m-1"`;
const booked = (cents: number) => ({ id: 'call_7', name: 'pay', args: { cents } });

/** An answer of chat completions with these arguments, as text. */
const asking = (name: string, args: string) => ({
  kind: 'raw' as const,
  body: JSON.stringify({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }],
        },
      },
    ],
  }),
});

describe('an agent that is a model with functions', () => {
  test.each([
    ['chat completions', 'openai', () => chat()],
    ['responses', 'openai-responses', () => `endpoint = "${server.openaiUrl}"\nmodel = "m-1"\nformat = "responses"`],
    ['messages', 'anthropic', () => `endpoint = "${server.url}/v1/messages"\nmodel = "m-1"\nformat = "messages"`],
    ['contents', 'gemini', () => `endpoint = "${server.url}/v1beta"\nmodel = "m-1"\nformat = "contents"`],
  ])('is asked in %s, and its calls are carried out in the world', async (_, protocol, agent) => {
    server.behave = ({ text }) =>
      text.includes('booked 1200')
        ? answer('Thank you.', { usage: { prompt: 30, completion: 4 } })
        : answer('', { calls: [booked(1200)], usage: { prompt: 20, completion: 5 } });
    const from = server.asked.length;
    const { scenario } = await held(`${agent()}\napi_key_env = "${KEY}"`);
    expect(scenario.trials).toMatchObject({ passed: 2, broken: 0 });
    const asked = server.asked.slice(from);
    expect(asked.map((one) => one.protocol)).toEqual(Array.from({ length: 4 }, () => protocol));
    const [first] = asked;
    expect(JSON.stringify(first?.headers)).toContain('a-key-of-the-desk');
    expect(first?.text).toContain('You take money.');
    expect(first?.text).toContain('"required":["cents"]');
    expect(scenario.session).toMatchObject({ calls: 2, validCalls: 2 });
    expect(scenario.cost.total).toMatchObject({ llmCalls: 4, promptTokens: 100, completionTokens: 18, toolCalls: 2 });
  });

  test('costs what nobody knows where one of its answers does not tell it, beside others that do', async () => {
    let asked = 0;
    server.behave = ({ text }) =>
      text.includes('booked 1200')
        ? answer('Thank you.', { usage: ++asked === 1 ? { prompt: 30, completion: 4 } : null })
        : answer('', { calls: [booked(1200)], usage: { prompt: 20, completion: 5 } });
    const gates = ['suite.cost_per_success <= 1000'];
    const { report, scenario } = await held(chat(), { gates });
    expect(scenario.trials).toMatchObject({ passed: 2, broken: 0 });
    expect(scenario.cost).toMatchObject({ total: { llmCalls: 4, llmTokens: null, toolCalls: 2 }, perSuccess: null });
    expect(report.gate.verdict).toBe('insufficient');
  });

  test('is told what is wrong with its calls, which count against the limit', async () => {
    server.behave = ({ text }) =>
      text.includes('no tool')
        ? asking('pay', '{"cents": 1.5}')
        : text.includes('cannot be read')
          ? asking('sell', '{}')
          : asking('pay', '{"cents": ');
    const { scenario } = await held(chat(), { trials: 1 });
    const { record, reason } = scenario.failures[0] ?? {};
    expect(reason).toBe('The agent had made 3 calls, and wanted more.');
    expect(record?.calls?.map(({ names, problem }) => [names[0], problem])).toEqual([
      ['pay', expect.stringMatching(/^The arguments of pay cannot be read: /)],
      ['sell', 'There is no tool "sell". Tools: pay.'],
      ['pay', expect.stringMatching(/^The arguments of pay do not fit: /)],
    ]);
    expect(record?.session).toMatchObject({ validCalls: 0, end: 'call_limit' });
    expect(record?.world?.state?.after).toEqual({ paid: [] });
  });

  test('fails where it refuses, and breaks the trial where nobody is there', async () => {
    server.behave = () => ({ kind: 'status', status: 422, error: { message: 'No.' } });
    const { scenario } = await held(chat(), { trials: 1 });
    expect(scenario.trials).toMatchObject({ failed: 1, broken: 0 });
    expect(scenario.failures[0]?.reason).toMatch(/^It gave no answer: .*422: No\./);
    server.behave = () => ({ kind: 'status', status: 404, error: { message: 'No such model.' } });
    expect((await held(chat(), { trials: 1 })).scenario.trials).toMatchObject({ failed: 0, broken: 1 });
  });

  test('may be a function of the program, and needs its grants and consent otherwise', async () => {
    const asked: unknown[] = [];
    const desk = ({
      messages,
      tools,
    }: {
      readonly messages: readonly { readonly content: string }[];
      readonly tools?: unknown;
    }) => {
      asked.push(tools);
      const isDone = messages.length > 2;
      return isDone
        ? { content: 'Thank you.' }
        : { parts: [{ kind: 'tool_call' as const, id: '1', name: 'pay', args: { cents: 1200 } }] };
    };
    const { scenario } = await held('model = "desk"', { models: { desk } });
    expect(scenario.trials).toMatchObject({ passed: 2 });
    expect(asked[0]).toMatchObject([{ name: 'pay', parameters: { type: 'object' } }]);
    await expect(held('model = "desk"')).rejects.toThrow('is the model "desk", which costs money');
    await expect(held(chat(), { permissions: {} })).rejects.toThrow('--allow-net=127.0.0.1');
    const { issues } = await loadSuite({ cwd, paths: [write('model = "x"\nformat = "chat"\ncommand = ["x"]')] });
    expect(issues.map(({ message }) => message)).toEqual([
      '"agents.format" has no effect: [models] says how a model without an endpoint is asked.',
      '"agents.command" has no effect: passk itself asks a model that is given functions.',
    ]);
    expect((await loadSuite({ cwd, paths: [write('')] })).issues[0]?.code).toBe('missing_key');
  });
});
