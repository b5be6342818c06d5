import { NOTHING } from '../effects/granted/a-disk.ts';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGrantedEffects } from '../../src/effects/granted/create-effects.ts';
import {
  mergeShards,
  renderTrace,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { certify } from '../../src/release/certify/certify.ts';
import { checkCertificate } from '../../src/release/certify/check-certificate.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { planOne } from '../../src/suite/plan/plan-one.ts';
import { buildProgram } from '../../src/trial/build-program.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-agents-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const FILE = `name = "shop"
trials = 20
min_pass_rate = 0
timeout_ms = 2000
[session]
system = "Be kind."
calls = 5
[state]
stock = { bolts = 3 }
[[tools]]
name = "take"
description = "Takes from the shelf."
parameters = { properties = { what = { type = "string" } }, required = ["what"] }
steps = [
  { get = ["stock", "{{args.what}}"], as = "left" },
  { fail = "There is no {{args.what}}.", when = [{ at = ["stock", "{{args.what}}"], exists = false }] },
  { compute = "after", value = "{{left}}", minus = 1 },
  { set = ["stock", "{{args.what}}"], value = "{{after}}" },
]
result = { left = "{{after}}" }
[[agents]]
name = "mine"
module = "AGENT"
[[tasks]]
name = "sell"
[tasks.user]
opening = "A bolt, please."
known = { size = "M8" }
[tasks.gold]
calls = [{ tool = "take", args = { what = "bolts" } }]
`;

let count = 0;

/** A run of one agent, whose module has this text. */
async function tried(
  source: string,
  { trials = 4, ...options }: RunSuiteOptions = {},
): Promise<{ readonly report: SuiteReport; readonly file: string }> {
  const name = `a${count++}`;
  writeFileSync(path.join(cwd, `${name}.mjs`), source);
  writeFileSync(path.join(cwd, `${name}.toml`), FILE.replace('AGENT', `${name}.mjs`));
  const file = `${name}.toml`;
  const permissions = { run: [path.join(cwd, `${name}.mjs`)] };
  return { report: await runSuite({ cwd, paths: [file], workers: 1, trials, permissions, ...options }), file };
}

/** How the first failing trial ended. */
function ending({ scenarios: [scenario] }: SuiteReport) {
  const failure = (scenario as { failures: readonly { record?: { ending: object; session?: object } }[] }).failures[0];
  return { ...failure?.record?.ending, ...failure?.record?.session };
}

const SOUND = `export default ({ tools: [take], system, draw }) => {
  if (system !== 'Be kind.') throw new Error('What was I told?');
  let asked = false;
  return async (message) => {
    await null;
    if (!asked) { asked = true; return 'Which size?'; }
    if (draw('forgets') < 0.25) return 'It is done.';
    const { left } = take.execute({ what: 'bolts', note: undefined });
    return { text: 'Here you are. ' + left + ' left.', usage: { promptTokens: 90, completionTokens: 10 }, model: 'm-1' };
  };
};`;

describe('an agent of the user, as a module', () => {
  test('has plain functions for tools, a session of its own, draws from the seed, and costs', async () => {
    const { report } = await tried(SOUND, { trials: 400 });
    const scenario = report.scenarios[0] as { passRate: number; trials: object };
    expect(scenario.trials).toMatchObject({ executed: 400, broken: 0 });
    // Four standard errors of three in four.
    expect(Math.abs(scenario.passRate - 0.75)).toBeLessThan(4 * Math.sqrt((0.75 * 0.25) / 400));
    expect(report.summary.total.llmTokens).toBe(Math.round(scenario.passRate * 400) * 100);
  });

  test.each<[string, RunSuiteOptions]>([
    ['with two workers', { workers: 2 }],
    ['in processes', { workers: 2, isolation: 'process' }],
    ['without workers of their own', { workers: 0 }],
  ])('gives the same counts %s', async (_, options) => {
    const counts = (report: SuiteReport) => (report.scenarios[0] as { trials: object }).trials;
    const [one, other] = [await tried(SOUND, { trials: 60 }), await tried(SOUND, { trials: 60, ...options })];
    expect(counts(other.report)).toEqual(counts(one.report));
  });

  test('is not loaded without a grant', async () => {
    const refused = tried(SOUND, { permissions: {} });
    await expect(refused).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/needs --allow-run=/),
    });
  });

  test('is not loaded by a worker to which nobody granted it, whatever the plan says', async () => {
    const name = `a${count}`;
    const { file } = await tried(SOUND, { trials: 1 });
    const { planned } = await planOne(file, { cwd, permissions: { run: true } }, { part: 'shop: sell' });
    const elsewhere = createGrantedEffects({ permissions: NOTHING, root: cwd }, { env: {} });
    const startClock = () => ({ elapsedUs: () => 0, alarm: () => () => undefined });
    for (const [effects, why] of [
      [elsewhere, `The module ${name}.mjs needs --allow-run=${name}.mjs.`],
      [null, 'is not granted'],
    ] as const) {
      const program = await buildProgram(planned, { plugins: [], callHost: null, startClock, effects });
      const { result } = await program.inspect(0);
      expect(result).toMatchObject({ verdict: 'broken', brokenBy: expect.stringContaining(why) });
    }
  });

  test('is planned, and certificates are checked, without a grant; a changed module ends them', async () => {
    const { file } = await tried(SOUND, { trials: 1 });
    const { privateKey: key } = makeKeys();
    const module = path.join(cwd, file.replace('.toml', '.mjs'));
    const at = '2026-11-26T12:00:00.000Z';
    const run = { cwd, paths: [file], workers: 0, permissions: { run: [module] } };
    await certify({ ...run, key, out: 'agent.cert', at, minTrials: 1 });
    const holds = async () => (await checkCertificate({ cwd, certificate: 'agent.cert', at })).holds;
    expect(await holds()).toBe(true);
    appendFileSync(module, '\n');
    expect(await holds()).toBe(false);
  });

  test('is shown by a trace, with what it was told went wrong', async () => {
    const { file } = await tried(
      `export default ({ tools: [take] }) => () => {
        try { take.execute({ what: 'nuts' }); } catch (error) { return error.name + ': ' + error.message; }
      };`,
    );
    const permissions = { run: [path.join(cwd, file.replace('.toml', '.mjs'))] };
    const shown = renderTrace(await traceTrial({ cwd, file, part: 'shop: sell', trial: 0, permissions }));
    expect(shown).toMatch(/calls\s+take \{"what": "nuts"\}/);
    expect(shown).toContain('ToolError: There is no nuts.');
  });

  test('cannot change the world but through its tools, nor another trial', async () => {
    const { report } = await tried(
      `let calls = 0;
      export default ({ tools: [take] }) => () => {
        const result = take.execute({ what: 'bolts' });
        if (result.left !== 2) return 'Somebody was here before?';
        result.left = -1;
        take.parameters.properties.what.type = 'number';
        return 'Thank you.';
      };`,
      { trials: 30, workers: 1 },
    );
    expect(report.scenarios).toMatchObject([{ trials: { executed: 30, passed: 30 } }]);
  });

  test.each<[string, string, object]>([
    [
      'throws without a word',
      `export default () => () => { throw new RangeError(); };`,
      { status: 'errored', reason: expect.stringMatching(/^It failed at a\d+\.mjs:1:36: RangeError$/) },
    ],
    [
      'throws',
      `export default () => () => { throw new Error('no idea'); };`,
      { status: 'errored', reason: expect.stringMatching(/^It failed at a\d+\.mjs:1:36: no idea$/) },
    ],
    [
      'cannot begin',
      `export default () => { throw new Error('no key'); };`,
      { status: 'errored', reason: expect.stringMatching(/^It failed at a\d+\.mjs:1:30: no key$/) },
    ],
    [
      'answers with a number',
      'export default () => () => 7;',
      { status: 'errored', reason: 'It answered with number.' },
    ],
    [
      'answers without a text',
      'export default () => () => ({ say: 1 });',
      { status: 'errored', reason: 'It answered with an object without `text`.' },
    ],
    [
      'answers with pieces that are no text',
      'export default () => async function* () { yield "a"; yield 1; };',
      { status: 'errored', reason: 'It failed: a piece of its answer is no text.' },
    ],
    [
      'answers with pieces without end',
      `export default () => async function* () { for (;;) yield 'x'.repeat(2 ** 16); };`,
      { status: 'errored', reason: expect.stringMatching(/answered with \d+ characters; at most 1048576 are read/) },
    ],
    [
      'answers with megabytes',
      `export default () => () => 'x'.repeat(2 ** 21);`,
      { status: 'errored', reason: expect.stringContaining('2097152 characters') },
    ],
    [
      'calls without end',
      `export default ({ tools: [take] }) => () => { for (;;) try { take.execute({}); } catch (e) { if (/over/.test(e.message)) throw e; } };`,
      { status: 'failed', end: 'call_limit' },
    ],
    [
      'gives arguments that are no data',
      `export default ({ tools: [take] }) => () => { take.execute({ what: () => 1 }); };`,
      { status: 'errored', reason: expect.stringMatching(/no JSON: it holds a function at "what"/) },
    ],
    ['never answers', 'export default () => () => new Promise(() => {});', { status: 'timed_out', end: 'timeout' }],
  ])('that %s fails its trials, each for its own reason', async (_, source, expected) => {
    const { report } = await tried(source, { trials: 2, timeoutMs: 300 });
    expect(report.scenarios).toMatchObject([{ trials: { executed: 2, failed: 2, broken: 0 } }]);
    expect(ending(report)).toMatchObject(expected);
  });

  test('that gives no function that answers, as one that takes a prompt does, breaks its trials', async () => {
    const { report } = await tried("export default async (prompt) => 'Hello.';", { trials: 2 });
    expect(report.scenarios).toMatchObject([
      {
        trials: { executed: 2, failed: 0, broken: 2 },
        brokenCauses: [{ cause: expect.stringContaining('The agent gave a value of type string for a session') }],
      },
    ]);
  });

  test('that tells no tokens has unknown costs, which no gate passes, in shards as well', async () => {
    const source = `export default ({ tools: [take] }) => (message) => {
      if (!message.includes('M8')) return 'Which size?';
      take.execute({ what: 'bolts' });
      return 'Here you are.';
    };`;
    const gates = ['suite.cost_per_success <= 1', 'suite.tokens_per_trial <= 1'];
    const { report, file } = await tried(source, { trials: 4, gates });
    expect(report.scenarios).toMatchObject([
      {
        trials: { passed: 4 },
        cost: { total: { llmCalls: null, llmTokens: null }, perSuccess: null },
        reasons: { 'cost.perSuccess': 'not_told' },
      },
    ]);
    expect(report.summary).toMatchObject({ total: { llmTokens: null, toolCalls: 4 } });
    expect(report.gate).toMatchObject({ verdict: 'insufficient' });
    const options = {
      cwd,
      paths: [file],
      workers: 1,
      trials: 4,
      gates,
      permissions: { run: [path.join(cwd, file.replace('toml', 'mjs'))] },
    };
    const parts = await Promise.all([1, 2].map((index) => runShard({ ...options, shard: { index, count: 2 } })));
    const merged = await mergeShards(
      parts.map(({ bytes }, at) => ({ name: `${at}`, bytes })),
      { cwd, gates },
    );
    expect(merged.report.gate).toMatchObject({ verdict: 'insufficient' });
  });

  test('whose answer comes in pieces has said them together, with what it took', async () => {
    // The user tells the size where it is asked for.
    const source = `async function* pieces(...all) { for (const piece of all) { await null; yield piece; } }
    export default ({ tools: [take] }) => (message) => {
      if (!message.includes('M8')) return pieces('Which si', 'ze?');
      take.execute({ what: 'bolts' });
      return { text: pieces('Here ', 'you are.'), usage: { promptTokens: 3, completionTokens: 2 } };
    };`;
    const { report } = await tried(source, { trials: 2 });
    expect(report.scenarios).toMatchObject([{ trials: { passed: 2 } }]);
    expect(report.summary.total.llmTokens).toBe(10);
  });

  test('may answer with a result of the AI SDK as it is, which tells the tokens of all its steps', async () => {
    const source = `class GenerateTextResult {
      get text() { return 'Which size?'; }
      get usage() { return { inputTokens: 3, outputTokens: 2, totalTokens: 5 }; }
      get totalUsage() { return { inputTokens: 30, outputTokens: 20, totalTokens: 50 }; }
      get steps() { return [{ usage: { inputTokens: 27 } }, { usage: this.usage }]; }
    }
    export default () => () => new GenerateTextResult();`;
    const { report } = await tried(source, { trials: 2 });
    const { llmCalls, llmTokens } = report.summary.total;
    const answers = (llmTokens ?? 0) / 50;
    expect(answers).toBeGreaterThan(0);
    expect(llmCalls).toBe(2 * answers);
  });

  test('may answer with a stream of the AI SDK as it is, whose end tells whether its model failed', async () => {
    const source = (end: string): string => `export default () => () => ({
      get textStream() { return (async function* () { yield 'It is '; yield 'done.'; })(); },
      get text() { return Promise.reject(new Error('nobody asked for it')); },
      totalUsage: Promise.resolve({ inputTokens: 30, outputTokens: 20 }),
      steps: Promise.resolve([{ usage: { inputTokens: 27 } }, { usage: { inputTokens: 3 } }]),
      finishReason: Promise.resolve('${end}'),
    });`;
    const { report } = await tried(source('length'), { trials: 1 });
    expect(report.summary.total).toMatchObject({ llmCalls: 2, llmTokens: 50 });
    const { report: failed } = await tried(source('error'), { trials: 1 });
    expect(ending(failed)).toMatchObject({ status: 'errored', reason: 'It failed: its stream ended with an error.' });
  });

  test.each([
    ['its usage', 'usage: { requests: 3, inputTokens: 3, outputTokens: 2 }', { llmCalls: 3, llmTokens: 5 }],
    ['itself', 'usage: { promptTokens: 3, completionTokens: 2 }, modelCalls: 2', { llmCalls: 2, llmTokens: 5 }],
    ['itself, that none was called', 'modelCalls: 0', { llmCalls: 0, llmTokens: 0 }],
    ['itself without tokens', 'modelCalls: 2', { llmCalls: 2, llmTokens: null }],
    ['nobody', 'usage: { promptTokens: 3, completionTokens: 2 }', { llmCalls: 1, llmTokens: 5 }],
  ])('whose answer took several calls of models has them counted, as %s tells', async (_, facts, total) => {
    const { report } = await tried(`export default () => () => ({ text: 'It is done.', ${facts} });`, { trials: 1 });
    expect(report.summary.total).toMatchObject(total);
  });

  test('that holds its thread costs its own trials, and no others', async () => {
    // With this seed one of six, which leaves the processors to others.
    const source = `const word = new Int32Array(new SharedArrayBuffer(4));
    export default ({ draw }) => () => { if (draw('hang') < 0.1) Atomics.wait(word, 0, 0); return 'x'; };`;
    const { report } = await tried(source, { trials: 6, workers: 2, timeoutMs: 300 });
    expect(report.scenarios).toMatchObject([{ trials: { executed: 6, failed: 5, broken: 1 } }]);
  });

  test('that cannot be loaded, or is no function, breaks its trials with the reason', async () => {
    for (const [source, why] of [
      ['import "./absent.mjs";', 'cannot be loaded'],
      ['export const agent = 1;', 'exports no function'],
    ] as const) {
      const { report } = await tried(source, { trials: 1 });
      expect(JSON.stringify(report.scenarios)).toContain(why);
      expect(report.scenarios).toMatchObject([{ trials: { broken: 1 } }]);
    }
  });

  test('calls nothing any more when its session is over', async () => {
    const { report } = await tried(
      `export default ({ tools: [take], signal }) => () => new Promise(() => {
        signal.addEventListener('abort', () => { try { take.execute({ what: 'bolts' }); } catch {} });
      });`,
      { trials: 1, timeoutMs: 200 },
    );
    const [failure] = (report.scenarios[0] as { failures: readonly { record: { calls: readonly object[] } }[] })
      .failures;
    expect(failure?.record.calls).toEqual([]);
  });
});
