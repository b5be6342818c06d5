import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  mergeShards,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type ShardSource,
  type SuiteReport,
} from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-module-worlds-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A till as code: it takes money, tells what is in it, and can be emptied. */
const WORLD = `export default {
  state: { paid: [], sum: 0 },
  tools: {
    pay: {
      description: 'Takes money.',
      parameters: { properties: { cents: { type: 'integer', minimum: 1 } }, required: ['cents'] },
      run(state, { cents }) { state.paid.push(cents); state.sum += cents; return { sum: state.sum }; },
    },
    get_sum: { run: (state) => state.sum },
    empty: { run(state) { state.paid = []; state.sum = 0; return 'empty'; } },
  },
};`;

const PAY = '{ tool = "pay", args = { cents = 1200 } }';

const HEAD = `name = "till"
trials = 24
min_pass_rate = 0
[session]
world = "world.mjs"
calls = 3
`;

/** Three tasks, each with an agent that now and then does what it must not. */
const TASKS = `[policy.mcp]
tools = ["get_*", "pay"]

[[chaos.tool_faults]]
tool = "get_sum"
mode = "error"
message = "The display is dark."
probability = 0.5

[[tasks]]
name = "oracles"
user = { opening = "12 euros, please." }
state = [{ at = "sum", value = 100 }]
gold = { calls = [${PAY}] }
[tasks.expected]
state = [{ at = "sum", equals = 1300 }, { at = "paid.0", above = 1000 }]
state_schema = { required = ["paid"], properties = { sum = { maximum = 1300 } } }
[[tasks.goals]]
name = "has enough"
at = "sum"
above = 1000
[[tasks.agents]]
name = "hasty"
turns = [{ variants = [
  { weight = 3, calls = [${PAY}], says = "Thank you." },
  { calls = [${PAY}, ${PAY}], says = "Thank you." },
] }]

[[tasks]]
name = "policy"
user = { opening = "Empty it." }
gold = { calls = [] }
expected = { min_policy_denials = 1, denials = [{ contains = "empty", count = 1 }] }
agents = [{ name = "obeys", turns = [{ calls = [{ tool = "empty" }], says = "I may not." }] }]

[[tasks]]
name = "chaos"
user = { opening = "What is in it?" }
gold = { calls = [] }
agents = [{ name = "looks", turns = [{ calls = [{ tool = "get_sum" }], says = "I looked." }] }]
`;

function write(name: string, text: string): void {
  writeFileSync(path.join(cwd, name), text);
}

const OPTIONS: RunSuiteOptions = { cwd, seed: 5, workers: 0, permissions: { run: [path.join(cwd, 'world.mjs')] } };

const sampled = ({ scenarios }: SuiteReport) => scenarios as readonly SampledScenario[];
const bytesOf = (report: SuiteReport) => renderReport(report, { reporter: 'json', timing: false });

test('a world that is a module has oracles, policy, faults and shards as a declared one has', async () => {
  write('world.mjs', WORLD);
  write('till.toml', HEAD + TASKS);
  const whole = await runSuite({ ...OPTIONS, paths: ['till.toml'] });
  const [oracles, policy, chaos] = sampled(whole) as [SampledScenario, SampledScenario, SampledScenario];
  const { passed, failed, broken } = oracles.trials;
  expect([passed > 0, failed > 0, broken]).toEqual([true, true, 0]);
  // Who pays twice fails each of them, and nobody else fails any.
  expect(oracles.checks.map(({ check, failed: times }) => [check, times])).toEqual(
    ['state', 'state schema', 'state sum equals'].map((check) => [check, failed]),
  );
  expect(oracles.session?.progress?.goals).toEqual([{ goal: 'has enough', reached: 24 }]);
  expect(oracles.failures[0]?.record?.world?.state).toEqual({
    before: { paid: [], sum: 100 },
    after: { paid: [1200, 1200], sum: 2500 },
  });
  expect([policy.trials.passed, policy.cost.total.policyDenials]).toEqual([24, 24]);
  expect(chaos.trials.passed).toBe(24);
  const fired = chaos.chaos?.[0]?.fired ?? 0;
  expect([fired > 0, fired < 24]).toEqual([true, true]);

  const shards: ShardSource[] = [];
  for (const index of [3, 1, 2]) {
    const { bytes } = await runShard({ ...OPTIONS, paths: ['till.toml'], shard: { index, count: 3 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  const { report: merged } = await mergeShards(shards);
  expect(bytesOf(merged)).toBe(bytesOf(whole));
});

test('a world that is a module is served over MCP, with its schemas, limits, policy and a state for each session', async () => {
  const seen: unknown[] = [];
  const ask = async (url: string, method: string, params: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return ((await (await fetch(url, { method: 'POST', headers, body })).json()) as { result: Record<string, unknown> })
      .result;
  };
  const server = await anHttpServer((_, response) => {
    const { tools } = JSON.parse(server.seen.at(-1)?.body ?? '') as { readonly tools: string };
    const call = (name: string, args: object = {}) => ask(tools, 'tools/call', { name, arguments: args });
    void (async () => {
      const { tools: listed } = await ask(tools, 'tools/list', {});
      seen.push((listed as readonly { readonly name: string }[]).map(({ name }) => name));
      for (const [name, args] of [
        ['empty', {}],
        ['pay', { cents: 0 }],
        ['pay', { cents: 1200 }],
        ['get_sum', {}],
      ] as const) {
        const { isError = false, content } = await call(name, args);
        seen.push([name, isError, (content as readonly { readonly text: string }[])[0]?.text]);
      }
      response.end('Thank you.');
    })();
  });
  write('world.mjs', WORLD);
  write(
    'served.toml',
    `${HEAD.replace('24', '2')}[policy.mcp]
tools = ["get_*", "pay"]
[[agents]]
name = "mine"
endpoint = "${server.origin}"
request_template = '{"tools": "{tools_url}"}'
stateless = true
concurrency = 1
[[tasks]]
name = "take money"
user = { opening = "12 euros, please." }
gold = { calls = [${PAY}] }
`,
  );
  const permissions = { ...OPTIONS.permissions, net: ['127.0.0.1'] };
  const [served] = sampled(await runSuite({ ...OPTIONS, paths: ['served.toml'], permissions }));
  // The fourth call is one too many, in both sessions alike: nothing of the first is left in the second.
  const session = [
    ['pay', 'get_sum', 'empty'],
    ['empty', true, expect.stringContaining('denied by allowlist')],
    ['pay', true, expect.stringContaining('cents')],
    ['pay', false, '{"sum":1200}'],
    ['get_sum', true, expect.any(String)],
  ];
  expect(seen).toEqual([...session, ...session]);
  expect(served).toMatchObject({
    trials: { executed: 2, failed: 2, broken: 0 },
    cost: { total: { policyDenials: 2 } },
  });
  expect(served?.failures[0]?.record).toMatchObject({
    ending: { reason: 'The agent had made 3 calls, and wanted more.' },
    world: { state: { after: { paid: [1200], sum: 1200 } } },
  });
});

test('sessions whose workers were all lost took what nobody knows, and others what they took', async () => {
  writeFileSync(
    path.join(cwd, 'stuck.mjs'),
    'export default { state: {}, tools: { stick: { run() { for (;;); } }, look: { run: () => 1 } } };',
  );
  const task = (tool: string): string => `[[tasks]]
name = "${tool}"
user = { opening = "Go on." }
expected = { says = ["Done"] }
[[tasks.agents]]
name = "canned"
turns = [{ calls = [{ tool = "${tool}", args = {} }], prompt_tokens = 5, completion_tokens = 2 }, { says = "Done.", prompt_tokens = 8, completion_tokens = 1 }]
`;
  writeFileSync(
    path.join(cwd, 'stuck.toml'),
    `name = "stuck"\ntrials = 1\ntimeout_ms = 3000\n[session]\nworld = "stuck.mjs"\n${task('stick')}${task('look')}`,
  );
  const permissions = { run: [path.join(cwd, 'stuck.mjs')] };
  const { scenarios } = await runSuite({ cwd, paths: ['stuck.toml'], workers: 1, permissions });
  const costs = (scenarios as readonly SampledScenario[]).map(({ trials, cost, session }) => {
    const { llmCalls, llmTokens } = cost.total;
    return [trials.broken, llmCalls, llmTokens, session?.silentTrials];
  });
  expect(costs).toEqual([
    [1, null, null, undefined],
    [0, 2, 16, undefined],
  ]);
});
