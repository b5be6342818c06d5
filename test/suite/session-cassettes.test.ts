import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderTrace, runSuite, type RunSuiteOptions, type SampledScenario, traceTrial } from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-cassettes-'));
let provider: ModelServer;
beforeAll(async () => {
  provider = await startModelServer(() => answer('Good day.'));
});
afterAll(async () => {
  rmSync(cwd, { recursive: true, force: true });
  await provider.close();
});

let count = 0;

function aTill(agent: string, { head = '', session = '', expected = '' } = {}): string {
  const file = `till${count++}.toml`;
  writeFileSync(
    path.join(cwd, file),
    `name = "till"
min_pass_rate = 0
${head}
[session]
${session}
[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer", minimum = 1 } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[[agents]]
name = "mine"
${agent}
[[tasks]]
name = "take money"
user = { opening = "I want to pay.", known = { amount = "12 euros" } }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
${expected}
`,
  );
  return file;
}

async function held(file: string, options: RunSuiteOptions) {
  const report = await runSuite({ cwd, paths: [file], seed: 1, ledger: true, ...options });
  return { report, scenario: report.scenarios[0] as SampledScenario };
}

/** Records a run, and replays it with the same scenarios for 0, 1 and 2 workers, without any grant. */
async function recordedAndReplayed(file: string, options: RunSuiteOptions): Promise<SampledScenario> {
  const record = `${file}.cassette`;
  const { scenario } = await held(file, { workers: 0, trials: 6, concurrency: 3, record, ...options });
  for (const workers of [0, 1, 2]) {
    const replayed = await held(file, { workers, replay: record });
    expect(replayed.scenario).toEqual(scenario);
  }
  return scenario;
}

async function pay(url: string, cents: number): Promise<void> {
  const client = new Client({ name: 'till', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<typeof client.connect>[0]);
  await client.callTool({ name: 'pay', arguments: { cents } });
  await client.close();
}

describe('a cassette of sessions', () => {
  test('holds what an agent outside did and said, by chance too, so that nobody is asked again', async () => {
    let sessions = 0;
    const server = await anHttpServer((_, response) => {
      const { messages, tools } = JSON.parse(server.seen.at(-1)?.body ?? '') as {
        messages: { content: string }[];
        tools: string;
      };
      const said = messages.at(-1)?.content ?? '';
      void (async () => {
        if (!said.includes('12')) {
          response.end(JSON.stringify({ output: 'Which amount?', usage: { input_tokens: 5, output_tokens: 2 } }));
          return;
        }
        // Pays the right amount, a wrong one, or twice, as no seed says.
        const turn = sessions++ % 3;
        await pay(tools, turn === 0 ? 1200 : 12);
        if (turn === 2) await pay(tools, 1188);
        response.end('Thank you.');
      })();
    });
    const agent = `endpoint = "${server.origin}"\nrequest_template = '{"messages": {messages}, "tools": "{tools_url}"}'`;
    const file = aTill(agent);
    const scenario = await recordedAndReplayed(file, { permissions: { net: ['127.0.0.1'] } });
    expect(scenario.trials).toMatchObject({ passed: 2, failed: 4 });
    const asked = server.seen.length;
    const replay = `${file}.cassette`;
    const shown = renderTrace(
      await traceTrial({ cwd, file, part: 'till: take money', trial: scenario.failures[0]?.trial ?? 0, replay }),
    );
    expect(shown).toContain('Thank you.');
    expect(shown).toContain('pay');
    expect(server.seen.length).toBe(asked);
  });

  test('holds sessions that ended late, with the calls that were made until then, and what no agent answered', async () => {
    const module = `let sessions = 0;
export default ({ tools }) => {
  const at = sessions++;
  return () => {
    if (at === 0) tools[0].execute({ cents: 7 });
    if (at === 1) throw new Error('no more money');
    return at === 0 ? new Promise(() => {}) : 'No.';
  };
};`;
    const name = `agent${count}.mjs`;
    writeFileSync(path.join(cwd, name), module);
    const scenario = await recordedAndReplayed(aTill(`module = "${name}"`, { head: 'timeout_ms = 1000' }), {
      trials: 3,
      concurrency: 1,
      permissions: { run: [name] },
    });
    const [late, stopped] = scenario.failures.map(({ record }) => record);
    expect(late).toMatchObject({ ending: { status: 'timed_out' }, calls: [{ args: { cents: 7 } }] });
    expect(stopped?.ending).toMatchObject({
      status: 'errored',
      reason: expect.stringMatching(/^It failed at agent\d+\.mjs:6:25: no more money$/),
    });
  });

  test('says of a trial that it broke because nobody was there', async () => {
    const file = aTill('endpoint = "http://127.0.0.1:9"\nretries = 0\nstateless = true');
    const scenario = await recordedAndReplayed(file, { trials: 2, permissions: { net: ['127.0.0.1'] } });
    expect(scenario.trials).toMatchObject({ broken: 2 });
    expect(JSON.stringify(scenario)).toContain('Nobody is there to answer');
  });

  test('holds what modules did, which a replay does not load', async () => {
    const module = `let asked = 0;
export default ({ tools }) => {
  const pay = tools.find(({ name }) => name === 'pay');
  return (message) => {
    if (!message.includes('12')) return 'Which amount?';
    pay.execute({ cents: asked++ % 2 === 0 ? 1200 : 12 });
    return { text: 'Thank you.', usage: { promptTokens: 8, completionTokens: 2 } };
  };
};`;
    const name = `agent${count}.mjs`;
    writeFileSync(path.join(cwd, name), module);
    const scenario = await recordedAndReplayed(aTill(`module = "${name}"`), { permissions: { run: [name] } });
    expect(scenario.trials).toMatchObject({ passed: 3, failed: 3 });
    expect(scenario.cost.total).toMatchObject({ promptTokens: 48 });
  });

  test('holds what a model with functions did, with what it cost', async () => {
    let number = 0;
    provider.behave = ({ text }) =>
      text.includes('Thank') || !text.includes('12 euros')
        ? answer('Which amount?', { usage: { prompt: 5, completion: 5 } })
        : text.includes('"tool"')
          ? answer('Thank you.')
          : answer('', { calls: [{ id: 'c', name: 'pay', args: { cents: number++ % 2 === 0 ? 1200 : 7 } }] });
    const agent = `tools = "functions"\nendpoint = "${provider.openaiUrl}"\nmodel = "m"`;
    const file = aTill(agent);
    const permissions = { net: ['127.0.0.1'] };
    const scenario = await recordedAndReplayed(file, { permissions });
    expect(scenario.trials).toMatchObject({ passed: 3, failed: 3 });
    const { report } = await held(file, { workers: 0, replay: `${file}.cassette` });
    expect(report.live?.models).toMatchObject([{ calls: 18 }]);
  });

  test('holds a session that is cut where its model had spent its tokens, before what it asked for then', async () => {
    provider.behave = () =>
      answer('', { calls: [{ id: 'c', name: 'pay', args: { cents: 7 } }], usage: { prompt: 20, completion: 5 } });
    const from = provider.asked.length;
    const agent = `tools = "functions"\nendpoint = "${provider.openaiUrl}"\nmodel = "m"`;
    const file = aTill(agent, { session: 'tokens = 60' });
    const scenario = await recordedAndReplayed(file, { permissions: { net: ['127.0.0.1'] }, trials: 2 });
    // The third answer of each is at 75: two calls were made by then.
    expect(provider.asked.length - from).toBe(6);
    expect(scenario.cost.mean).toMatchObject({ llmCalls: 3, llmTokens: 75, toolCalls: 2 });
    const { record, reason } = scenario.failures[0] ?? {};
    expect(record?.session?.end).toBe('token_limit');
    expect(reason).toBe('The agent had spent 75 tokens, and may spend 60.');
  });

  test('is judged anew by rules that have changed, and says that they have', async () => {
    const server = await anHttpServer((_, response) => response.end('No.'));
    const file = aTill(`endpoint = "${server.origin}"\nstateless = true`);
    const record = `${file}.cassette`;
    await held(file, { workers: 0, trials: 2, record, permissions: { net: ['127.0.0.1'] } });
    count--;
    aTill(`endpoint = "${server.origin}"\nstateless = true`, {
      expected: 'expected = { says = ["No"], state = [{ at = "paid", equals_json = "[]" }] }\n'.replace('gold', ''),
    });
    const { report, scenario } = await held(file, { workers: 0, replay: record });
    expect(scenario.trials).toMatchObject({ executed: 2, broken: 0 });
    expect(report.notices.map(({ code }) => code)).toContain('cassette_changed');
  });

  test('is refused where a session needs code besides its agent', async () => {
    writeFileSync(path.join(cwd, 'rules.mjs'), 'export default () => null;');
    const file = aTill(`endpoint = "http://127.0.0.1:9"\nstateless = true`, {
      expected: 'expected = { checks = [{ module = "rules.mjs" }] }',
    });
    await expect(
      held(file, { record: 'x.cassette', permissions: { net: ['127.0.0.1'], run: true } }),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('checks that are modules, which no replay runs'),
    });
  });
});
