import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FakeJudgeServer,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  scorerVerifier,
  splitterModel,
  startFakeJudge,
  type SuiteReport,
  verifierModel,
} from '../../../src/index.ts';
import { renderText } from '../../../src/report/text/render-text.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import type { ModelEndpoint } from '../../../src/types/model-endpoint.ts';
import { startModelServer } from '../../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-scores-'));
let fake: FakeJudgeServer;
beforeAll(async () => {
  fake = await startFakeJudge();
  writeFileSync(path.join(cwd, 'desk.toml'), DESK);
});
afterAll(async () => {
  await fake.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Half of the answers say what no context says, and one of two tools has nothing to do with it. */
const DESK = `name = "desk"
trials = 20
min_pass_rate = 0
[session]
[state]
[[tools]]
name = "policy"
steps = []
result = "Pets are not allowed."
[[tools]]
name = "weather"
steps = []
result = "It will rain."
[[tasks]]
name = "pets"
user = { opening = "May I bring my dog?" }
agents = [{ name = "a", turns = [{ variants = [
  { calls = [{ tool = "weather" }, { tool = "policy" }], says = "Pets are not allowed." },
  { calls = [{ tool = "weather" }, { tool = "policy" }], says = "Pets are not allowed. Ducks swim for free every day." },
] }] }]
[tasks.expected]
faithful = { judge = "scored" }
`;

const SCORED: JudgeSetting = { name: 'scored', models: ['nli'], verifies: true };

function at(provider: ModelEndpoint['provider'], more: Partial<ModelEndpoint> = {}): Record<string, ModelEndpoint> {
  return { nli: { provider, model: 'fair', baseUrl: fake.url, price: { input: 1, output: 1 }, ...more } };
}

function run(models: RunSuiteOptions['models'], options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({
    cwd,
    paths: ['desk.toml'],
    seed: 2,
    workers: 0,
    judges: [SCORED],
    ...(models && { models }),
    ...options,
  });
}

const of = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;

test.each(['embeddings', 'rerank', 'rerank-tei', 'predict-tei'] as const)(
  'claims are verified by the scores of %s, repeatably, with what the server counts',
  async (provider) => {
    const report = await run(at(provider), { record: `${provider}.cassette`, ledger: true });
    const { trials, judges: [judge] = [], failures, ledger } = of(report);
    expect(trials).toMatchObject({ broken: 0 });
    expect(trials.failed).toBeGreaterThan(3);
    const ducks = trials.failed;
    // Equal texts score 1; of the other claim no context has a word.
    const { claims } = judge ?? {};
    expect(claims).toMatchObject({ verified: 20 + ducks, supported: 20, score: 20 / (20 + ducks) });
    expect(claims?.pairScore).toBeGreaterThanOrEqual(20 / (20 + ducks) - 1e-6);
    expect(claims?.pairScore).toBeLessThan(1);
    expect(failures[0]?.findings.find(({ verdict }) => verdict === 'fail')?.message).toMatch(
      /got 1 of 2 supported; "Ducks swim for free every day.", because "its score is 0\.\d{3}, below 0.5"$/,
    );
    const usage = ledger?.find(({ kind }) => kind === 'judge')?.usage;
    if (provider.endsWith('-tei')) expect(usage).toBeNull();
    else expect(usage).toMatchObject({ promptTokens: expect.any(Number), completionTokens: 0 });
    expect(renderText(report, { color: false })).toContain('mean score of claims');
    const asked = fake.asked();
    const replayed = await run(undefined, { replay: `${provider}.cassette`, ledger: true });
    const bytes = ({ timing: _, ...rest }: SuiteReport): string => JSON.stringify(rest);
    expect(bytes(replayed)).toBe(bytes(report));
    expect(fake.asked()).toBe(asked);
    const lenient = await run(at(provider), { judges: [{ ...SCORED, threshold: 0 }] });
    expect(of(lenient).trials.failed).toBe(0);
  },
);

test('a server that is crowded is asked again, and what is over budget ends the run', async () => {
  // Which requests find it crowded follows from how many came before.
  const own = await startFakeJudge();
  const crowded = await run(at('embeddings', { model: 'limited=0.4', baseUrl: own.url }), { trials: 5 });
  await own.close();
  expect(of(crowded)).toMatchObject({ trials: { broken: 0 } });
  expect(crowded.live?.models[0]?.retries).toBeGreaterThan(0);
  const poor = await run(at('rerank'), { maxTokens: 100, trials: 5 });
  expect(poor).toMatchObject({ partial: true, live: { stoppedBy: 'budget' } });
});

test.each(['rerank-tei', 'predict-tei'] as const)(
  '%s is asked about 32 contexts at a time, of which the best decides',
  async (provider) => {
    const calls = Array.from({ length: 40 }, (_, n) => `{ tool = "page", args = { n = ${n} } }`);
    writeFileSync(
      path.join(cwd, 'pages.toml'),
      `name = "pages"
[session]
calls = 50
[state]
[[tools]]
name = "page"
parameters = { properties = { n = { type = "integer" } } }
steps = []
result = "This is page {{args.n}}."
[[tasks]]
name = "last"
user = { opening = "What is there?" }
agents = [{ name = "a", turns = [{ calls = [${calls.join(', ')}], says = "This is page 39." }] }]
[tasks.expected]
faithful = { judge = "scored" }
`,
    );
    const sizes: number[] = [];
    const server = await startModelServer(({ body }) => {
      const { query, texts, inputs } = body as {
        readonly query?: string;
        readonly texts?: readonly string[];
        readonly inputs?: readonly (readonly [string, string])[];
      };
      const pairs = inputs ?? (texts ?? []).map((text) => [text, query ?? ''] as const);
      sizes.push(pairs.length);
      const scores = pairs.map(([context, claim]) => (context.includes(claim) ? 1 : 0.01));
      const answers =
        provider === 'rerank-tei'
          ? scores.map((score, index) => ({ index, score }))
          : scores.map((score) => [{ label: 'entailment', score }]);
      return { kind: 'raw', body: JSON.stringify(answers) };
    });
    try {
      const report = await run(at(provider, { baseUrl: server.url }), { paths: ['pages.toml'], trials: 1 });
      expect(of(report).trials).toMatchObject({ passed: 1, broken: 0 });
      expect(sizes.sort((a, b) => b - a)).toEqual([32, 8]);
    } finally {
      await server.close();
    }
  },
);

const BAD: readonly (readonly [ModelEndpoint['provider'], unknown])[] = [
  ['embeddings', {}],
  ['embeddings', { data: [{ index: 0, embedding: [1] }] }],
  ['embeddings', { data: [0, 1, 2].map((index) => ({ index, embedding: Array(index + 1).fill(1) })) }],
  ['embeddings', { data: [0, 0, 1].map((index) => ({ index, embedding: [1, 0] })) }],
  ['embeddings', { data: [0, 1, 2].map((index) => ({ index, embedding: ['1', 0] })) }],
  ['embeddings', { data: [0, 1, 2].map((index) => ({ index, embedding: [0, index] })) }],
  ['embeddings', { data: [0, 1, 2].map((index) => ({ index: String(2 - index), embedding: [1, index] })) }],
  ['embeddings', { data: [0, 1, 2].map((index) => ({ index, embedding: [0.6, 0.8] })) }],
  ['rerank', []],
  ['rerank', { results: [{ index: 0, relevance_score: 0.9 }] }],
  ['rerank', { results: [0, 2].map((index) => ({ index, relevance_score: 0.9 })) }],
  ['rerank', { results: [0, 0].map((index) => ({ index, relevance_score: 0.9 })) }],
  ['rerank', { results: [0, 1].map((index) => ({ index, relevance_score: -3.2 })) }],
  ['rerank-tei', [0, 1].map((index) => ({ index, score: 7 }))],
  ['predict-tei', [[{ label: 'entailment', score: 1 }]]],
  ['predict-tei', [0, 1].map(() => [0.1, 0.2].map((score) => ({ label: `LABEL_${score}`, score })))],
  ['predict-tei', [0, 1].map(() => [{ label: 'entailment', score: -0.5 }])],
  ['predict-tei', { error: 'The model is no classifier.', error_type: 'Backend' }],
];

test('what is no score of each pair is an error of the judge, and no verdict', async () => {
  const server = await startModelServer(() => ({ kind: 'silent' }));
  try {
    for (const [provider, body] of BAD) {
      server.behave = () => ({ kind: 'raw', body: JSON.stringify(body) });
      const report = await run(at(provider, { baseUrl: server.openaiUrl, maxRetries: 0 }), { trials: 2 });
      expect([body, of(report).judges]).toMatchObject([body, [{ errors: 2, met: 0, unmet: 0 }]]);
    }
  } finally {
    await server.close();
  }
});

test('models that score answer nothing else, and have no words for what models of words are told', async () => {
  const rubric = { name: 'scored', models: ['nli'], criteria: [{ id: 'a', text: 'It is.' }] };
  writeFileSync(path.join(cwd, 'rubric.toml'), DESK.replace('faithful = { judge = "scored" }', 'judges = ["scored"]'));
  await expect(run(at('rerank'), { judges: [rubric], paths: ['rubric.toml'] })).rejects.toThrow(
    'for words, which scores pairs only',
  );
  await expect(run(at('rerank'), { judges: [{ ...SCORED, splitter: 'nli' }] })).rejects.toThrow('scores pairs only');
  await expect(run(at('embeddings', { temperature: 0 }))).rejects.toThrow('embeddings has no word for `temperature`');
  const { baseUrl: _, ...homeless } = at('rerank')['nli'] as ModelEndpoint;
  await expect(run({ nli: homeless })).rejects.toThrow('rerank has no address of its own');
  writeFileSync(
    path.join(cwd, 'talk.toml'),
    'name = "talk"\n[workflow]\ninline = \'\'\'\nname = "t"\n[[start_nodes]]\nname = "m"\nsource = "manual"\n[[nodes]]\nid = "a"\ntype = "llm_infer"\nbackend = "nli"\nprompt = "a"\n\'\'\'\n[[intel.turns]]\ncontent = "a"\n',
  );
  await expect(run(at('rerank'), { paths: ['talk.toml'], live: true })).rejects.toThrow('scores pairs of texts');
});

test('the fake server verifies and splits claims, with known errors', async () => {
  const chat = (model: string) => ({ nli: { provider: 'openai-compatible', model, baseUrl: fake.url } as const });
  const fair = await run(chat('fair'), { judges: [{ ...SCORED, splitter: 'nli' }] });
  const { trials, judges } = of(fair);
  expect(trials.broken).toBe(0);
  expect(judges).toMatchObject([{ met: trials.passed, unmet: trials.failed, claims: { supported: 20 } }]);
  expect(trials.failed).toBe(of(await run(at('rerank'))).trials.failed);
  const blind = await run(chat('specificity=0'));
  expect(of(blind).trials).toMatchObject({ failed: 0, broken: 0 });
  const mute = await run(chat('empty=1'));
  expect(of(mute)).toMatchObject({ trials: { broken: 20 }, judges: [{ errors: 20 }] });
});

test('a splitter, a verifier and a scorer of the caller take part in runs as functions among the models', async () => {
  const scorer = { score: (premise: string, claim: string) => Number(premise.includes(claim)) };
  const models = {
    nli: verifierModel(scorerVerifier(scorer)),
    cut: splitterModel({ split: (answer) => answer.split(/(?<=\.) /) }),
  };
  const report = await run(models, { judges: [{ ...SCORED, splitter: 'cut' }] });
  const { trials, judges } = of(report);
  expect(trials.failed).toBeGreaterThan(3);
  expect(judges).toMatchObject([{ errors: 0, claims: { supported: 20, pairScore: null } }]);
  const unsure = await run({ nli: verifierModel({ method: 'unsure', verify: (claims) => claims.map(() => null) }) });
  expect(of(unsure)).toMatchObject({ trials: { broken: 20 }, judges: [{ errors: 20 }] });
});
