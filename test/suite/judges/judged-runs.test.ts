import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
  traceTrial,
} from '../../../src/index.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import type { ModelEndpoint } from '../../../src/types/model-endpoint.ts';
import { askedOf, judgeOf, verdict } from '../../judges/a-judge.ts';
import { answer, type ModelServer, startModelServer } from '../../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-judged-'));
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => answer(''));
  writeFileSync(path.join(cwd, 'shop.toml'), SHOP);
  writeFileSync(path.join(cwd, 'reply.toml'), REPLY);
});
beforeEach(() => {
  server.behave = wireJudge;
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** An agent that is kind, or is not, by chance. */
const SHOP = `name = "shop"
trials = 24
min_pass_rate = 0
[session]
[state]
[[tools]]
name = "look"
steps = []
[[tasks]]
name = "ask"
user = { opening = "Is it in stock?" }
agents = [{ name = "a", turns = [{ variants = [
  { calls = [{ tool = "look" }], says = "Kindly: yes." },
  { says = "Go away." },
] }] }]
[tasks.expected]
judges = ["kindness"]
`;

/** The same as a workflow with one turn. */
const REPLY = `name = "reply"
trials = 24
min_pass_rate = 0
[workflow]
inline = '''
name = "reply"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "say"
type = "llm_infer"
backend = "default"
prompt = "Is it in stock?"
'''
[[intel.turns]]
variants = [{ content = "Kindly: yes." }, { content = "Go away." }]
[expected]
status = "completed"
judges = ["kindness"]
`;

const KINDNESS: JudgeSetting = {
  name: 'kindness',
  models: ['fair'],
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
};

type Options = RunSuiteOptions;

function run(paths: readonly string[], options: Options): Promise<SuiteReport> {
  return runSuite({ cwd, paths, seed: 3, workers: 0, judges: [KINDNESS], ...options });
}

const of = ({ scenarios }: SuiteReport, at = 0) => scenarios[at] as SampledScenario;
const bytes = ({ timing: _, ...report }: SuiteReport): string => JSON.stringify(report);

/** A judge behind an address: it answers at once or a while later, and has moods of its own. */
const wireJudge: ModelServer['behave'] = async ({ body, number }) => {
  await new Promise((resolve) => setTimeout(resolve, (number * 5) % 7));
  const messages = body['messages'] as readonly { readonly content: string }[];
  const asked = askedOf({ messages } as never);
  const isMoody = number % 9 === 0;
  return answer(
    verdict(asked, () => asked.record.includes('Kindly') !== isMoody),
    { usage: { prompt: 100, completion: 20 } },
  );
};

const wire = (): Readonly<Record<string, ModelEndpoint>> => ({
  fair: { provider: 'openai-compatible', model: 'judge-7', baseUrl: server.openaiUrl, price: { input: 1, output: 1 } },
});

test('a judge sees what was said and called in sessions and workflows, and fails what it finds wanting', async () => {
  const report = await run(['shop.toml', 'reply.toml'], { models: { fair: judgeOf('Kindly') }, ledger: true });
  const [reply, shop] = report.scenarios as readonly SampledScenario[];
  for (const scenario of [reply, shop]) {
    const { trials, judges, checks, cost, ledger } = scenario as SampledScenario;
    expect(trials).toMatchObject({ executed: 24, broken: 0 });
    expect(trials.passed).toBeGreaterThan(4);
    expect(trials.failed).toBeGreaterThan(4);
    expect(checks).toEqual([{ check: 'judge kindness', failed: trials.failed }]);
    expect(judges).toMatchObject([
      {
        judge: 'kindness',
        met: trials.passed,
        unmet: trials.failed,
        errors: 0,
        errorRate: 0,
        decided: 24,
        noise: null,
      },
    ]);
    // What judging takes is spent on the evaluation, and never the subject's.
    expect(cost.total.llmCalls).toBe(scenario === reply ? 24 : 0);
    expect(ledger?.filter(({ kind }) => kind === 'judge')).toMatchObject([
      { name: 'judge:kindness/fair', trials: 24, usage: { promptTokens: 2400, completionTokens: 480 } },
    ]);
  }
  expect(of(report).failures[0]?.findings[0]?.message).toBe(
    'judge kindness: expected every criterion to be met, got unmet: "kind", because "It is missing."',
  );
});

test('a judge that fails, is silent, or says nothing readable breaks trials at a rate of its own, and fails none', async () => {
  let asked = 0;
  const moods = [
    () => ({ error: 'overloaded' }),
    () => ({ content: 'All is well.' }),
    () => {
      throw new Error('out of order');
    },
  ];
  const report = await run(['shop.toml'], {
    models: {
      fair: (request, call) =>
        asked++ % 2 === 0 ? judgeOf('Kindly')(request, call) : (moods[asked % 3] as () => never)(),
    },
  });
  const { trials, judges, brokenCauses } = of(report);
  expect(trials.broken).toBe(12);
  expect(judges).toMatchObject([{ errors: 12, errorRate: 0.5 }]);
  expect(judges?.[0]).toMatchObject({ met: trials.passed, unmet: trials.failed });
  const causes = (brokenCauses ?? []).map(({ cause }) => cause).sort();
  expect(causes).toEqual([
    expect.stringMatching(/^Judge "kindness" gave no verdict: Function "model:fair" failed at .*: out of order/),
    'Judge "kindness" gave no verdict: No JSON object of the answer has the mark of the question; it begins with "All is well.".',
    'Judge "kindness" gave no verdict: overloaded',
  ]);
});

test.each([
  ['length', 'was cut at a cap of tokens'],
  ['filtered', 'is a refusal, or was cut by a filter'],
] as const)('a whole verdict in an answer that ended with %s is none: the rest is unknown', async (finish, why) => {
  const report = await run(['shop.toml'], {
    trials: 1,
    models: { fair: (request) => ({ content: verdict(askedOf(request), () => true), finish }) },
  });
  expect(of(report).judges).toMatchObject([{ met: 0, errors: 1 }]);
  expect(of(report).brokenCauses?.[0]?.cause).toContain(why);
});

test('judged runs are repeatable from a cassette, byte for byte, with any number of workers', async () => {
  const judges = [{ ...KINDNESS, repeats: 3 }];
  const paths = ['shop.toml', 'reply.toml'];
  const recorded = await run(paths, { judges, models: wire(), record: 'a.cassette', ledger: true });
  const asked = server.asked.length;
  // Each repeat is a question of its own: noise would read 0 if a cache answered it.
  expect(asked).toBe(2 * 24 * 3);
  expect(of(recorded).judges?.[0]?.noise).toMatchObject({ answers: 72 });
  expect(recorded.scenarios.some((one) => ((one as SampledScenario).judges?.[0]?.noise?.flips ?? 0) > 0)).toBe(true);
  expect(recorded.live?.models).toMatchObject([{ calls: 72 }, { calls: 72 }]);
  for (const workers of [0, 1, 2]) {
    const replayed = await run(paths, { judges, workers, replay: 'a.cassette', ledger: true });
    expect(bytes(replayed)).toBe(bytes(recorded));
  }
  expect(server.asked).toHaveLength(asked);
  const { record } = await traceTrial({ cwd, file: 'shop.toml', trial: 2, seed: 3, judges, replay: 'a.cassette' });
  expect(record.rulings?.[0]?.answers).toHaveLength(3);
  const changed = [{ ...KINDNESS, repeats: 3, background: 'Customers are in a hurry.' }];
  const other = await run(['shop.toml'], { judges: changed, replay: 'a.cassette' });
  expect(of(other).trials.broken).toBe(24);
});

test('a judge is slow, down or over budget: no verdict, or the run ends', async () => {
  const fair = { ...(wire()['fair'] as ModelEndpoint), maxRetries: 0 };
  const models = { fair };
  server.behave = () => ({ kind: 'status', status: 500 });
  const down = await run(['shop.toml'], { models, trials: 2 });
  expect(of(down)).toMatchObject({ trials: { broken: 2 }, judges: [{ errors: 2, errorRate: 1, met: 0, unmet: 0 }] });
  server.behave = () => ({ kind: 'silent' });
  const slow = await run(['shop.toml'], { models: { fair: { ...fair, timeoutMs: 50 } }, trials: 2 });
  expect(of(slow)).toMatchObject({ trials: { broken: 2 }, judges: [{ errors: 2, errorRate: 1, met: 0, unmet: 0 }] });
  server.behave = wireJudge;
  const poor = await run(['shop.toml'], { models: { fair: { ...fair, maxTokens: 100 } }, maxTokens: 3000 });
  expect(poor).toMatchObject({ partial: true, gate: { verdict: 'insufficient' }, live: { stoppedBy: 'budget' } });
});

test('more than half of all answers decide, each is shown, and models of an ensemble are held against each other', async () => {
  const judges = [{ ...KINDNESS, models: ['fair', 'fair2', 'blind'], repeats: 1 }];
  const models = { fair: judgeOf('Kindly'), fair2: judgeOf('yes'), blind: () => ({ content: 'Hm.' }) };
  const report = await run(['shop.toml'], { judges, models });
  const { judges: [judge] = [], trials } = of(report);
  // Two of three agree, so that the one that cannot be read changes nothing.
  expect(judge).toMatchObject({
    met: trials.passed,
    unmet: trials.failed,
    errors: 0,
    models: ['fair', 'fair2', 'blind'],
  });
  expect(judge?.agreement).toMatchObject([
    { models: ['fair', 'fair2'], trials: 24, kappa: 1 },
    { models: ['fair', 'blind'], trials: 0, kappa: null },
    { models: ['fair2', 'blind'], trials: 0, kappa: null },
  ]);
  const split = await run(['shop.toml'], {
    judges: [{ ...KINDNESS, repeats: 2 }],
    models: { fair: flipping() },
    trials: 4,
  });
  expect(of(split).judges?.[0]).toMatchObject({ errors: 4, noise: { answers: 8, flips: 4, rate: 0.5 } });
});

function flipping() {
  let asked = 0;
  return (request: Parameters<ReturnType<typeof judgeOf>>[0]) => {
    const isMet = asked++ % 2 === 0;
    return { content: verdict(askedOf(request), () => isMet) };
  };
}

test('what is not there, or of the family that it judges, is told before anybody is asked', async () => {
  const models = { fair: judgeOf('Kindly') };
  await expect(run(['shop.toml'], { judges: [], models })).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringContaining('[[judges]]'),
  });
  await expect(run(['shop.toml'], { judges: [{ ...KINDNESS, models: ['unfair'] }], models })).rejects.toThrow(
    'asks the model "unfair"',
  );
  await expect(run(['shop.toml'], { judges: [KINDNESS, KINDNESS], models })).rejects.toThrow('two judges "kindness"');
  const gpt = { provider: 'openai-compatible', baseUrl: server.openaiUrl } as const;
  const family = { default: { ...gpt, model: 'gpt-4.1' }, fair: { ...gpt, model: 'openai/gpt-4.1-mini' } };
  const asked = server.asked.length;
  await expect(run(['reply.toml'], { live: true, models: family })).rejects.toThrow('is of the same family as gpt-4.1');
  writeFileSync(
    path.join(cwd, 'apart.toml'),
    readFileSync(path.join(cwd, 'reply.toml'), 'utf8').replace(
      'judges = ["kindness"]',
      'faithful = { judge = "apart", texts = ["Yes."] }',
    ),
  );
  const apart: JudgeSetting = { name: 'apart', models: ['other'], verifies: true, splitter: 'fair' };
  const others = { ...family, other: { ...gpt, model: 'judge-7' } };
  await expect(run(['apart.toml'], { live: true, models: others, judges: [apart] })).rejects.toThrow(
    'same family as gpt-4.1',
  );
  const shop = readFileSync(path.join(cwd, 'shop.toml'), 'utf8').replace(/agents = \[\{[\s\S]*?\}\]\n(?=\[tasks)/, '');
  writeFileSync(
    path.join(cwd, 'asked.toml'),
    shop.replace('[[tasks]]', '[[agents]]\nname = "a"\ntools = "functions"\nmodel = "default"\n[[tasks]]'),
  );
  await expect(run(['asked.toml'], { live: true, models: family })).rejects.toThrow('is of the same family as gpt-4.1');
  expect(server.asked).toHaveLength(asked);
  const allowed = [{ ...KINDNESS, allowSameFamily: true }];
  const report = await run(['reply.toml'], { live: true, models: family, judges: allowed, trials: 2 });
  expect(of(report).judges?.[0]).toMatchObject({ errors: 0 });
});
