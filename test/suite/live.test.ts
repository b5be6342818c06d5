import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCode, mergeShards, runShard, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { liveReport, liveSince, sumLive } from '../../src/intelligence/live/live-counts.ts';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { judged, sampled } from '../support/sampled.ts';

const KEY = 'sk-live-0123456789abcdef';
const KEY_NAME = 'LIVE_TEST_KEY';

let server: ModelServer;
let folder: string;
beforeAll(async () => {
  server = await startModelServer(() => answer('refund'));
  folder = await mkdtemp(path.join(tmpdir(), 'passk-live-'));
  process.env[KEY_NAME] = KEY;
});
let before = 0;
beforeEach(() => {
  before = server.asked.length;
  server.behave = () => answer('refund');
});
afterAll(async () => {
  delete process.env[KEY_NAME];
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const asks = (): number => server.asked.length - before;

/** A scenario whose answer must be `refund`; with a backend that its own file declares. */
function scenario({ backend = 'default', declared = '', turns = '' } = {}): string {
  return `
name = "classify"
trials = 20
[workflow]
inline = '''
name = "classify"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "${backend}"
prompt = "Classify: my order never came."
${declared}
'''
${turns}
[expected]
status = "completed"
[[expected.values]]
node = "ask"
path = "content"
equals = "refund"
`;
}

async function run(text: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  await writeFile(path.join(folder, 'classify.toml'), text);
  return runSuite({ paths: ['classify.toml'], cwd: folder, workers: 2, live: true, ...options });
}

const models = () => ({
  default: {
    provider: 'openai-compatible' as const,
    model: 'small',
    baseUrl: server.openaiUrl,
    apiKeyEnv: KEY_NAME,
    price: { input: 1, output: 2 },
  },
});

test('trials are answered by the model, and the report says which, how often and for how much', async () => {
  server.behave = ({ number }) => answer(number % 4 === 0 ? 'complaint' : 'refund');
  const report = await run(scenario(), { models: models() });
  const [row] = report.scenarios;
  expect([judged(row).pure, row?.trials.executed, row?.trials.passed, asks()]).toEqual([false, 20, 15, 20]);
  expect(report.live?.models).toEqual([
    expect.objectContaining({
      scenario: 'classify',
      backend: 'default',
      calls: 20,
      promptTokens: 200,
      costUsd: 0.0004,
    }),
  ]);
});

test('tokens of a scenario are unknown where an answer does not tell them, in gates, baselines and forecasts', async () => {
  server.behave = ({ number }) => answer('refund', number % 4 === 0 ? { usage: null } : {});
  const saved = path.join(folder, 'untold.json');
  const gates = ['suite.cost_per_success <= 1000', 'tokens <= 1000', 'tokens_per_trial <= 50', 'model_calls <= 20'];
  const forecast = { runsPerDay: [1000] };
  const report = await run(scenario(), { models: models(), gates, forecast, saveBaseline: saved });
  expect(report.gate.expressions.map(({ verdict }) => verdict)).toEqual([
    'insufficient',
    'insufficient',
    'insufficient',
    'pass',
  ]);
  expect(sampled(report.scenarios[0]).cost).toMatchObject({
    total: { llmCalls: 20, llmTokens: null, promptTokens: null, completionTokens: null },
    perSuccess: null,
  });
  expect(report.forecast?.reasons).toEqual({ tokensPerSuccess: 'not_told' });
  expect(report.live).toMatchObject({ unknownUsage: 5, models: [{ promptTokens: 150 }] });

  server.behave = () => answer('refund');
  const reported = path.join(folder, 'untold-report.json');
  await writeFile(reported, JSON.stringify(report));
  for (const baseline of [saved, reported]) {
    const later = await run(scenario(), { models: models(), baseline });
    expect([later.gate.verdict, later.drift?.scenarios[0]?.tokens?.status]).toEqual(['pass', 'unknown']);
  }
});

describe('where an answer of a function does not tell its tokens', () => {
  const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const again =
    '[[nodes]]\nid = "again"\ntype = "llm_infer"\nbackend = "default"\nprompt = "Again."\n[[edges]]\nfrom = "ask"\nto = "again"';
  const parts = [{ kind: 'text' as const, text: 'refund' }];
  const models = {
    default: ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => ({
      parts,
      usage: messages[0]?.content === 'Again.' ? null : usage,
    }),
  };

  test('a bound on tokens breaks the trial, unless what was told decides', async () => {
    const cases = [
      ['max_total_tokens = 15', 'broken'],
      ['max_total_tokens = 14', 'failed'],
      ['max_completion_tokens = 500', 'broken'],
      ['min_prompt_tokens = 11', 'broken'],
      ['min_prompt_tokens = 10', 'passed'],
      ['max_total_tokens = 15\nmax_llm_calls = 1', 'failed'],
      ['max_llm_calls = 2', 'passed'],
    ] as const;
    for (const [at, [bound]] of cases.entries()) {
      const text = scenario({ declared: again }).replace('[expected]', `[expected]\n${bound}`);
      await writeFile(path.join(folder, `bound-${at}.toml`), text.replace('"classify"', `"bound ${at}"`));
    }
    const paths = cases.map((_, at) => `bound-${at}.toml`);
    const report = await runSuite({ paths, cwd: folder, workers: 0, models, trials: 1 });
    expect(report.scenarios.map((row, at) => sampled(row).trials[cases[at]?.[1] ?? 'broken'])).toEqual(
      cases.map(() => 1),
    );
    expect(sampled(report.scenarios[0]).failures.map(({ brokenBy }) => brokenBy)).toEqual([
      'max_total_tokens cannot be checked: the model of the backend "default" did not tell the tokens of an answer. Use one that tells its usage, or leave max_total_tokens out.',
    ]);
  });

  test('no gate on what it took passes, and nothing is said to have been told', async () => {
    await writeFile(path.join(folder, 'gated.toml'), scenario({ declared: again }).replace('"classify"', '"gated"'));
    const gates = ['suite.cost_per_success <= 1000', 'tokens <= 1000', 'model_calls <= 20'];
    for (const workers of [0, 2]) {
      const options = { paths: ['gated.toml'], cwd: folder, workers, models, trials: 4, gates, ledger: true };
      const { gate, scenarios } = await runSuite(options);
      expect(gate.expressions.map(({ verdict }) => verdict)).toEqual(['insufficient', 'insufficient', 'pass']);
      expect(sampled(scenarios[0]).cost.total).toMatchObject({ llmCalls: 8, llmTokens: null, completionTokens: null });
    }
  });

  test('a budget of the workflow breaks the trial before more is asked', async () => {
    let asked = 0;
    const untold = { default: () => ({ parts, usage: asked++ === 0 ? null : usage }) };
    await writeFile(
      path.join(folder, 'budget.toml'),
      scenario({ declared: `${again}\n[budget]\nmax_llm_tokens = 1000` }),
    );
    const report = await runSuite({ paths: ['budget.toml'], cwd: folder, workers: 0, models: untold, trials: 1 });
    const [{ brokenBy } = { brokenBy: null }] = sampled(report.scenarios[0]).failures;
    expect([brokenBy?.split('.').slice(0, 2).join('.'), asked]).toEqual([
      'budget.max_llm_tokens cannot be kept: the model of the backend "default" did not tell the tokens of an answer',
      1,
    ]);
  });

  test('nobody can tell whether a contract holds that bounds tokens or cost, unless what was told is too much', async () => {
    const workflow = /\[workflow\]\ninline = '''.*?'''/su.exec(scenario({ declared: again }))?.[0] ?? '';
    const rules = ['max_tokens = 15', 'max_tokens = 14', 'max_usd = 1'].map(
      (rule, at) => `[[contract.invariants]]\nid = "r${at}"\ntype = "${at < 2 ? 'max_tokens' : 'max_cost'}"\n${rule}\n`,
    );
    const head = '[contract]\nname = "cheap"\ntrials = 1\nprompts = ["Why?"]\nprice = { input = 3, output = 15 }\n';
    await writeFile(path.join(folder, 'cheap.toml'), `${head}${rules.join('')}${workflow}\n`);
    const { results } = await runSuite({ paths: ['cheap.toml'], cwd: folder, workers: 0, models });
    const [contract] = results ?? [];
    expect(contract?.kind === 'contract' && contract.cells.map(({ state, judged }) => [state, judged])).toEqual([
      ['inconclusive', 0],
      ['failed', 1],
      ['inconclusive', 0],
    ]);
  });
});

test('a request that fails and is made again leaves tokens as they are told', async () => {
  server.behave = ({ number }) => (number % 4 === 0 ? { kind: 'drop', when: 'before' } : answer('refund'));
  const report = await run(scenario(), { models: models(), trials: 4, gates: ['tokens <= 1000'] });
  expect([report.gate.verdict, sampled(report.scenarios[0]).cost.total.llmTokens]).toEqual(['pass', 60]);
});

test('the key is sent to the server and shown nowhere', async () => {
  server.behave = ({ headers }) => ({
    kind: 'status',
    status: 400,
    error: { error: { message: `You said ${headers.authorization}.` } },
  });
  const report = await run(scenario(), { models: models() });
  expect(server.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(JSON.stringify(report)).toContain('You said Bearer [key]');
  expect(JSON.stringify(report)).not.toContain(KEY);
});

test('without --live a scenario keeps its turns, and one without turns is told of the flag', async () => {
  const turns = '[[intel.turns]]\nnode = "ask"\ncontent = "refund"\n';
  const report = await run(scenario({ turns }), { models: models(), live: false });
  expect([report.gate.verdict, report.live, asks()]).toEqual(['pass', undefined, 0]);
  await expect(run(scenario(), { models: models(), live: false })).rejects.toMatchObject({
    issues: [expect.objectContaining({ hint: expect.stringContaining('--live') })],
  });
});

test('with --live the model answers, not the turns', async () => {
  const turns = '[[intel.turns]]\nnode = "ask"\ncontent = "complaint"\n';
  expect((await run(scenario({ turns }), { models: models() })).gate.verdict).toBe('pass');
});

test.each([
  [401, { message: 'no such key' }],
  // As Gemini says it; every trial was the workflow's failure.
  [400, { message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }],
])(
  'a wrong key (status %i) breaks trials, is not tried for each of them, and fails no subject',
  async (status, error) => {
    server.behave = () => ({ kind: 'status', status, error: { error } });
    const report = await run(scenario(), { models: models(), trials: 300, workers: 1, concurrency: 4 });
    expect([report.summary.trials.broken, report.summary.trials.failed, exitCode(report)]).toEqual([300, 0, 3]);
    expect(asks()).toBeLessThanOrEqual(6);
  },
);

test('a model that fails after all retries is an error of the subject’s run', async () => {
  server.behave = () => ({ kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } });
  const { default: small } = models();
  const report = await run(scenario(), { models: { default: { ...small, maxRetries: 0 } } });
  expect([sampled(report.scenarios[0]).statuses.errored, report.summary.trials.failed]).toEqual([20, 20]);
});

test('answers that a filter or a cap cut are told, also when they are replayed', async () => {
  server.behave = ({ number }) => {
    const finish = number % 2 === 0 ? 'content_filter' : 'length';
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    return {
      kind: 'raw',
      body: JSON.stringify({ choices: [{ message: { content: 'refund' }, finish_reason: finish }], usage }),
    };
  };
  const cassette = path.join(folder, 'filtered.cassette');
  const told = ({ live, notices, summary }: SuiteReport) => [
    summary.trials.passed,
    live?.models.map(({ filtered, cut }) => ({ filtered, cut })),
    notices.map(({ code, message }) => `${code} ${message.slice(0, 7)}`),
  ];
  const recorded = await run(scenario(), { models: models(), trials: 4, workers: 0, record: cassette });
  expect(told(recorded)).toEqual([4, [{ filtered: 2, cut: 2 }], ['filtered_answers 2 of 4 ', 'cut_answers 2 of 4 ']]);
  const replayed = await run(scenario(), { live: false, trials: 4, workers: 0, replay: cassette });
  expect(told(replayed)).toEqual(told(recorded));
});

test('an answer that is withheld whole counts as a call of its trial with what it took, also when it is replayed', async () => {
  server.behave = ({ number }) => {
    if (number % 2 === 0) return answer('refund', { usage: { prompt: 10, completion: 5 } });
    const usage = { prompt_tokens: 10, completion_tokens: 0 };
    const choices = [{ message: { content: '' }, finish_reason: 'content_filter' }];
    return { kind: 'raw', body: JSON.stringify({ choices, usage }) };
  };
  const cassette = path.join(folder, 'withheld.cassette');
  const counted = ({ live, scenarios: [row], summary }: SuiteReport) => {
    const { llmCalls, llmTokens } = sampled(row).cost.total;
    return [summary.trials.passed, llmCalls, llmTokens, live?.models[0]?.promptTokens];
  };
  const recorded = await run(scenario(), { models: models(), trials: 4, workers: 0, record: cassette });
  expect(counted(recorded)).toEqual([2, 4, 50, 40]);
  const replayed = await run(scenario(), { live: false, trials: 4, workers: 0, replay: cassette });
  expect(counted(replayed)).toEqual(counted(recorded));
});

test('a budget stops the run before it is passed; trials left out are not judged', async () => {
  const { default: small } = models();
  const worst = 64 + 16 + 32;
  const report = await run(scenario(), {
    models: { default: { ...small, maxTokens: 32 } },
    trials: 100,
    maxTokens: 15 * 7 + worst,
  });
  const { executed, passed, requested } = report.summary.trials;
  expect(report.live?.stoppedBy).toBe('budget');
  expect([report.partial, executed === passed, executed < requested, exitCode(report)]).toEqual([true, true, true, 3]);
  expect(executed).toBe(asks());
  expect(report.summary.total.llmTokens).toBeLessThanOrEqual(15 * 7 + worst);
});

test('a run that its budget has ended goes on where its journal ends, and tells the calls of both', async () => {
  const { default: small } = models();
  const journal = { folder: path.join(folder, 'spent'), resume: true };
  const given = { models: { default: { ...small, maxTokens: 32 } }, workers: 1, trials: 30, journal };
  const first = await run(scenario(), { ...given, maxTokens: 5 * 7 + 64 + 16 + 32 });
  const { executed } = first.summary.trials;
  expect([first.live?.stoppedBy, executed > 0, executed < 30]).toEqual(['budget', true, true]);
  const second = await run(scenario(), given);
  expect([second.summary.trials.executed, second.partial, asks()]).toEqual([30, false, 30]);
  expect(second.live?.models.map(({ calls }) => calls)).toEqual([30]);
});

test('a budget includes what the journal of a resumed run has spent', async () => {
  const { default: small } = models();
  const journal = { folder: path.join(folder, 'kept-to'), resume: true };
  const given = { models: { default: { ...small, maxTokens: 32 } }, workers: 1, trials: 30, journal };
  const maxTokens = 5 * 7 + 64 + 16 + 32;
  const first = await run(scenario(), { ...given, maxTokens });
  const second = await run(scenario(), { ...given, maxTokens });
  expect([second.live?.stoppedBy, second.summary.trials, exitCode(second)]).toEqual([
    'budget',
    first.summary.trials,
    3,
  ]);
  const third = await run(scenario(), { ...given, maxTokens: maxTokens + 5 * 15 });
  expect(third.summary.trials.executed).toBe(first.summary.trials.executed + 5);
  expect(asks()).toBe(third.summary.trials.executed);
});

test('money is only bounded where prices are known', async () => {
  const { price: _, ...small } = models().default;
  await expect(run(scenario(), { models: { default: small }, maxCost: 1 })).rejects.toMatchObject({ code: 'USAGE' });
  const report = await run(scenario(), { models: { default: small }, maxCost: 1, prices: { input: 1, output: 2 } });
  expect(report.live?.costUsd).toBe(0.0004);
});

const DECLARED = (url: string): string => `
[[intelligence.backends]]
name = "fast"
provider = "openai-compatible"
model = "small"
base_url = "${url}"
api_key_env = "${KEY_NAME}"
`;

test('an address and a key that a file names are used only where the user grants both', async () => {
  const text = scenario({ backend: 'fast', declared: DECLARED(server.openaiUrl) });
  const { host } = new URL(server.url);
  const hintOf = (permissions: RunSuiteOptions['permissions']) =>
    run(text, { ...(permissions && { permissions }) }).then(
      () => 'it ran',
      (error: { readonly issues: readonly { readonly hint: string }[] }) => error.issues[0]?.hint ?? '',
    );
  expect(await hintOf(undefined)).toContain(`--allow-net=${host}`);
  expect(await hintOf({ net: [host] })).toContain(`--allow-env=${KEY_NAME}`);
  expect(await hintOf({ env: [KEY_NAME] })).toContain(`--allow-net=${host}`);
  expect(await hintOf({ net: true, env: true })).toContain(`--allow-net=${host}`);
  expect(asks()).toBe(0);
  expect(await hintOf({ net: [host], env: [KEY_NAME] })).toBe('it ran');
  expect(asks()).toBe(20);
});

test('a granted name that leads to a private address is refused when it is connected to', async () => {
  const { port } = new URL(server.url);
  const text = scenario({ backend: 'fast', declared: DECLARED(`http://localhost:${port}/v1`) });
  const report = await run(text, { permissions: { net: ['*'], env: [KEY_NAME] } }).catch((error: unknown) => error);
  expect(asks()).toBe(0);
  expect(JSON.stringify(report)).toContain('--allow-net');
});

test('the user’s own model goes before what a file declares', async () => {
  const text = scenario({ backend: 'fast', declared: DECLARED('http://127.0.0.1:9/v1') });
  expect((await run(text, { models: { fast: models().default } })).gate.verdict).toBe('pass');
});

test('a backend that the workflow does not declare is told before the run, at its place', async () => {
  const report = await run(scenario({ backend: 'fast' }), { models: { fast: models().default }, trials: 1 });
  expect(report.scenarios[0]?.trials.failed).toBe(1);
  expect(report.notices).toEqual([
    expect.objectContaining({
      code: 'undeclared_backend',
      message: expect.stringContaining('asks "fast", which its workflow does not declare'),
      at: expect.objectContaining({ file: 'classify.toml', line: 13 }),
    }),
  ]);
});

test('a model that changes between runs is caught by the baseline', async () => {
  const options = { models: models(), trials: 40, minPassRate: 0 } as const;
  const saved = path.join(folder, 'baseline.json');
  const text = scenario().replace('trials = 20', 'min_pass_rate = 0.0');
  const first = await run(text, { ...options, saveBaseline: saved });
  server.behave = ({ number }) => answer(number % 2 === 0 ? 'I would say: refund' : 'refund');
  const second = await run(text, { ...options, baseline: saved });
  expect([first.gate.verdict, second.gate.verdict, second.drift?.verdict]).toEqual(['pass', 'fail', 'fail']);
  expect(exitCode(second)).toBe(1);
});

test.each<[string, object, string]>([
  ['no provider', { model: 'x' }, 'provider'],
  ['no model', { provider: 'openai' }, 'model'],
  ['no address', { provider: 'openai-compatible', model: 'x' }, 'base_url'],
  [
    'a password in the address',
    { provider: 'openai', model: 'x', baseUrl: 'https://me:pw@example.com' },
    'api_key_env',
  ],
])('a model with %s is refused before anything runs', async (_, model, word) => {
  await expect(run(scenario(), { models: { default: model as never } })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(word),
  });
});

describe('parts of a run', () => {
  const told = ({ live }: SuiteReport) => live?.models[0];

  async function shards(count: number, options: RunSuiteOptions): Promise<{ name: string; bytes: Uint8Array }[]> {
    await writeFile(path.join(folder, 'classify.toml'), scenario());
    const parts: { name: string; bytes: Uint8Array }[] = [];
    for (let index = 1; index <= count; index++) {
      const given = { paths: ['classify.toml'], cwd: folder, workers: 1, live: true, ...options };
      const { bytes } = await runShard({ ...given, shard: { index, count } });
      parts.push({ name: `${index}.shard`, bytes });
    }
    return parts;
  }

  test('add up, to the billionth of a dollar', async () => {
    const price = { input: 0.1, output: 0.2, cached: 0.007 };
    const { default: small } = models();
    server.behave = () => answer('refund', { usage: { prompt: 11, completion: 3, cached: 5 } });
    const given = { models: { default: { ...small, price } } };
    const whole = await run(scenario(), given);
    const { report, notices } = await mergeShards((await shards(3, given)).reverse());
    expect(report.live).toEqual(whole.live);
    expect([told(report)?.calls, asks(), report.notices, notices]).toEqual([20, 40, [], []]);
  });

  test('that tell no costs are named', async () => {
    const [first, second] = await shards(2, { models: models() });
    if (first === undefined || second === undefined) throw new Error('A shard is missing.');
    const { report } = await mergeShards([first, { ...second, bytes: withoutLive(second.bytes) }]);
    expect(report.summary.trials.passed).toBe(20);
    expect([(told(report)?.calls ?? 0) < 20, report.notices.map(({ message }) => message)]).toEqual([
      true,
      ['Shard 2 of 2 (2.shard) does not say what its live calls came to.'],
    ]);
  });

  test('before and after a cut count all calls, those of lost trials too', async () => {
    const stop = new AbortController();
    server.behave = ({ number }) => {
      if (number - before === 9) stop.abort();
      return answer('refund');
    };
    const journal = { folder: path.join(folder, 'journal'), resume: true };
    const given = { models: models(), workers: 1, concurrency: 2, trials: 40, journal };
    const cut = await run(scenario(), { ...given, signal: stop.signal });
    const { executed } = cut.summary.trials;
    const made = told(cut)?.calls ?? 0;
    expect([cut.partial, executed < 40, made >= executed, made === asks()]).toEqual([true, true, true, true]);
    const whole = await run(scenario(), given);
    expect([whole.summary.trials.passed, told(whole)?.calls]).toEqual([40, made + 40 - executed]);
    expect(asks()).toBe(made + 40 - executed);
    // Nothing is left to ask.
    expect((await run(scenario(), given)).live).toEqual(whole.live);
  });

  test('that were counted in any grouping and order come to the same', () => {
    const row = fc.record({
      scenario: fc.constantFrom('a', 'b'),
      backend: fc.constantFrom('x', 'y'),
      provider: fc.constant('openai'),
      model: fc.constant('m'),
      isPriced: fc.boolean(),
      calls: fc.nat(),
      reused: fc.nat(),
      retries: fc.nat(),
      failures: fc.nat(),
      promptTokens: fc.nat(),
      completionTokens: fc.nat(),
      cachedTokens: fc.nat(),
      reasoningTokens: fc.nat(),
      unknownUsage: fc.nat(),
      nanoUsd: fc.maxSafeNat().map((nano) => Math.floor(nano / 32)),
      filtered: fc.nat(),
      cut: fc.nat(),
    });
    const part = fc.record({
      stoppedBy: fc.constantFrom(null, 'budget' as const),
      rows: fc.array(row, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.nat(4), (parts, at) => {
        const whole = sumLive(parts);
        expect(sumLive([...parts].reverse())).toEqual(whole);
        expect(sumLive([sumLive(parts.slice(0, at)), sumLive(parts.slice(at))])).toEqual(whole);
        const first = sumLive(parts.slice(0, at));
        const fresh = { stoppedBy: whole.stoppedBy, rows: liveSince(whole.rows, first.rows) };
        expect(liveReport(sumLive([first, fresh])).costUsd).toBe(liveReport(whole).costUsd);
      }),
    );
  });
});

/** The shard as a passk wrote it that knew of no costs. */
function withoutLive(bytes: Uint8Array): Uint8Array {
  const frames = [...new FrameReader().push(bytes)].map((value) => {
    const { live: _, ...rest } = value as Record<string, unknown>;
    return encodeFrame(rest);
  });
  return Buffer.concat(frames);
}

test('a function that nobody asks is told in the report, of a shard, too', async () => {
  const file = path.join(folder, 'idle.toml');
  await writeFile(file, scenario({ turns: '[[intel.turns]]\nnode = "ask"\ncontent = "refund"\n' }));
  const models = { default: () => answerOf('refund'), other: () => answerOf('refund') };
  const idleOf = ({ notices }: SuiteReport): readonly string[] =>
    notices.filter(({ code }) => code === 'idle_model').map(({ message }) => message);
  const options = { paths: [file], cwd: folder, workers: 0, models };
  expect(idleOf(await runSuite(options))).toEqual(['Nobody asks the models default, other of `models` in this run.']);
  expect(idleOf(await runSuite({ ...options, live: true }))).toEqual([
    'Nobody asks the model other of `models` in this run.',
  ]);
  const { bytes } = await runShard({ ...options, shard: { index: 1, count: 1 } });
  const { report } = await mergeShards([{ name: 'a', bytes }]);
  expect(idleOf(report)).toHaveLength(1);
});

function answerOf(content: string): { readonly content: string; readonly usage: null } {
  return { content, usage: null };
}
