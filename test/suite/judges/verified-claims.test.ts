import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  calibrateJudge,
  exitCode,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
} from '../../../src/index.ts';
import { renderText } from '../../../src/report/text/render-text.ts';
import type { LiveModel } from '../../../src/settings/live-functions.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { askedToVerify, nli, verified } from '../../judges/a-verifier.ts';
import { answer, type ModelServer, startModelServer } from '../../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-claims-'));
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => answer(''));
  writeFileSync(path.join(cwd, 'desk.toml'), DESK);
});
beforeEach(() => {
  server.behave = ({ body }) => {
    const messages = body['messages'] as readonly { readonly content: string }[];
    return answer(verified(messages), { usage: { prompt: 50, completion: 10 } });
  };
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Three of four answers hold; the fourth says the opposite of the policy, in the same words. */
const DESK = `name = "desk"
trials = 40
min_pass_rate = 0.6
[session]
[state]
[[tools]]
name = "policy"
steps = []
result = "Pets are not allowed. The gate opens at 9:00."
[[tasks]]
name = "pets"
user = { opening = "May I bring my dog?" }
agents = [{ name = "a", turns = [{ variants = [
  { weight = 3, calls = [{ tool = "policy" }], says = "Pets are not allowed. The gate opens at 9:00." },
  { calls = [{ tool = "policy" }], says = "Pets are allowed. The gate opens at 9:00." },
] }] }]
[tasks.expected]
faithful = { judge = "grounded" }
`;

const GROUNDED: JudgeSetting = { name: 'grounded', models: ['nli'], verifies: true };

function run(options: RunSuiteOptions = {}, text?: string): Promise<SuiteReport> {
  if (text !== undefined) writeFileSync(path.join(cwd, 'other.toml'), text);
  const paths = [text === undefined ? 'desk.toml' : 'other.toml'];
  return runSuite({ cwd, paths, seed: 4, workers: 0, judges: [GROUNDED], models: { nli }, ...options });
}

const of = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;
const messageOf = (report: SuiteReport) =>
  of(report).failures[0]?.findings.find(({ verdict }) => verdict === 'fail')?.message;

test('a model verifies each claim against what tools gave, at a cost that is not the subject’s', async () => {
  const report = await run({ ledger: true });
  const { trials, judges: [judge] = [], checks, ledger, cost } = of(report);
  expect(trials.broken).toBe(0);
  expect(trials.failed).toBeGreaterThan(4);
  expect(checks).toEqual([{ check: 'faithful grounded', failed: trials.failed }]);
  // The heuristic passes the opposite: all its words are there.
  expect(of(await run({}, DESK.replace('{ judge = "grounded" }', '{}'))).trials.failed).toBe(0);
  expect(judge).toMatchObject({
    judge: 'grounded',
    met: trials.passed,
    unmet: trials.failed,
    errors: 0,
    claims: { verified: 80, supported: 80 - trials.failed, score: (80 - trials.failed) / 80 },
  });
  expect(messageOf(report)).toBe(
    'faithful grounded: expected contexts that support every claim, got 1 of 2 supported; "Pets are allowed.", because "The policy says the opposite."',
  );
  expect(cost.total.llmCalls).toBe(0);
  expect(ledger?.filter(({ kind }) => kind === 'judge')).toMatchObject([
    { name: 'judge:grounded/nli', trials: 40, usage: { promptTokens: 2000 } },
  ]);
  expect(renderText(report, { color: false })).toContain(`of 80 claims supported`);
  const half = await run({ judges: [{ ...GROUNDED, minScore: 0.5 }] });
  expect(of(half).trials.failed).toBe(0);
});

test('verdicts on claims are repeatable from a cassette, and a model may take answers apart', async () => {
  const wire = { provider: 'openai-compatible', model: 'nli-1', baseUrl: server.openaiUrl } as const;
  const judges = [{ ...GROUNDED, splitter: 'cutter', repeats: 2 }];
  const models = { nli: wire, cutter: { ...wire, model: 'cutter-1' } };
  const before = server.asked.length;
  const recorded = await run({ judges, models, record: 'claims.cassette', ledger: true });
  expect(server.asked.length - before).toBe(40 * 3);
  expect(of(recorded).judges).toMatchObject([
    { errors: 0, noise: { answers: 80, flips: 0 }, claims: { verified: 80 } },
  ]);
  expect(recorded.live?.models).toMatchObject([
    { backend: 'judge:grounded/cutter', calls: 40 },
    { backend: 'judge:grounded/nli', calls: 80 },
  ]);
  const { timing: _, ...first } = recorded;
  for (const workers of [0, 2]) {
    const { timing: __, ...again } = await run({ judges, workers, replay: 'claims.cassette', ledger: true });
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  }
  expect(server.asked.length - before).toBe(40 * 3);
});

test('no verdict on a claim is an error of the judge, and what nobody can verify is none of its failures', async () => {
  const silent: LiveModel = ({ messages }) => {
    const { mark } = askedToVerify(messages);
    return { content: JSON.stringify({ mark, verdicts: [{ criterion: 'claim-1', met: true }] }) };
  };
  const partly = of(await run({ models: { nli: silent } }));
  expect(partly.trials.broken).toBe(40);
  expect(partly.judges).toMatchObject([{ errors: 40, errorRate: 1, met: 0, unmet: 0, claims: { score: null } }]);
  expect(partly.brokenCauses?.[0]?.cause).toBe('Judge "grounded" gave no verdict: Criterion "claim-2" has no verdict.');
  const mute = { judges: [{ ...GROUNDED, splitter: 'mute' }], models: { nli, mute: () => ({ content: 'No.' }) } };
  const muted = await run(mute);
  expect(of(muted).judges).toMatchObject([{ errors: 40 }]);
  expect(muted.notices.filter(({ code }) => code === 'idle_model')).toEqual([]);
  let calls = 0;
  const counted: LiveModel = (request, call) => {
    calls++;
    return nli(request, call);
  };
  const ask = DESK.replaceAll(/says = "[^"]*"/g, 'says = "What breed is it?"');
  const empty = await run({ models: { nli: counted } }, ask);
  expect(messageOf(empty)).toContain('got 0 of the 1 claims that there must be');
  const blind = await run({ models: { nli: counted } }, DESK.replaceAll('calls = [{ tool = "policy" }], ', ''));
  expect(messageOf(blind)).toContain('expected contexts that support every claim, got no context');
  for (const report of [empty, blind]) {
    expect(of(report)).toMatchObject({
      trials: { failed: 40, broken: 0 },
      judges: [{ met: 0, unmet: 0, errors: 0, errorRate: null, decided: 0, claims: { verified: 0, score: null } }],
    });
  }
  expect(calls).toBe(0);
});

test('a gate on verified claims is undecided until labels of claims calibrate the judge, and with another share of claims', async () => {
  const gates = ['pass_rate >= 0.6'];
  const open = await run({ gates });
  expect(open.gate).toMatchObject({ verdict: 'insufficient' });
  expect(JSON.stringify(open.gate)).toContain('UNCALIBRATED_JUDGE');
  expect(exitCode(open)).toBe(3);
  const judge = { ...GROUNDED, calibration: 'grounded.json' };
  const rows = ['id,criterion,human,judge'];
  for (let at = 0; at < 100; at++) {
    rows.push(`good ${at},claim-1,yes,yes`, `good ${at},claim-2,yes,${at < 4 ? 'no' : 'yes'}`);
    rows.push(`bad ${at},claim-1,yes,yes`, `bad ${at},claim-2,no,${at < 3 ? 'yes' : 'no'}`);
  }
  writeFileSync(path.join(cwd, 'claims.csv'), rows.join('\n'));
  const about = { cwd, labels: ['claims.csv'], judge: 'grounded', judges: [judge], models: { nli } };
  const calibration = await calibrateJudge(about);
  // What is measured is verdicts on answers, of two claims each.
  expect(calibration).toMatchObject({
    verdict: 'calibrated',
    labels: { items: 200, criteria: 0 },
    sensitivity: { items: 100, agreed: 96 },
    specificity: { items: 100, agreed: 97 },
  });
  writeFileSync(path.join(cwd, 'grounded.json'), JSON.stringify(calibration));
  const decided = await run({ gates, judges: [judge], trials: 200 });
  expect(decided.gate).toMatchObject({ verdict: 'pass' });
  expect(of(decided).judges).toMatchObject([{ verdict: 'calibrated', corrected: { rate: expect.any(Number) } }]);
  const half = await run({ gates, judges: [{ ...judge, minScore: 0.5 }], trials: 200 });
  expect(of(half).judges).toMatchObject([{ verdict: 'stale' }]);
  writeFileSync(path.join(cwd, 'claims.csv'), 'criterion,human,judge\nclaim-1,yes,yes\n');
  await expect(calibrateJudge(about)).rejects.toMatchObject({
    issues: [{ message: 'A row about a claim does not say whose claim it is.', at: { line: 2 } }],
  });
});

test('a judge is named where it does what is asked of it, and says by itself which share of claims is enough', async () => {
  const refused = (judge: JudgeSetting, text?: string) => run({ judges: [judge] }, text);
  const rubric = { name: 'grounded', models: ['nli'], criteria: [{ id: 'a', text: 'It is.' }] };
  await expect(refused(rubric)).rejects.toMatchObject({
    message: expect.stringContaining('names, judges answers by criteria'),
    hint: 'Name it under `judges`.',
  });
  const listed = DESK.replace('faithful = { judge = "grounded" }', 'judges = ["grounded"]');
  await expect(refused(GROUNDED, listed)).rejects.toThrow('names, verifies claims');
  const doubled = DESK.replace('judge = "grounded"', 'judge = "grounded", min_score = 0.5');
  await expect(refused(GROUNDED, doubled)).rejects.toThrow('has a `min_score` besides that of the judge "grounded"');
  await expect(refused({ ...GROUNDED, splitter: 'nobody' })).rejects.toThrow('asks the model "nobody"');
});

test('workflows and recorded runs are verified against outputs of nodes, texts and the documents of their source', async () => {
  const workflow = `name = "rag"
trials = 2
min_pass_rate = 0
[expected.faithful]
judge = "grounded"
nodes = ["find"]
texts = ["The gate opens at 9:00."]
[workflow]
inline = '''
name = "rag"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "find"
type = "llm_infer"
backend = "default"
prompt = "find"
[[nodes]]
id = "say"
type = "llm_infer"
backend = "default"
prompt = "{{find}}"
input_from = "find"
[[edges]]
from = "find"
to = "say"
'''
[[intel.turns]]
node = "find"
content = "Pets are not allowed."
[[intel.turns]]
node = "say"
content = "Pets are not allowed. The gate opens at 9:00. Ducks are welcome."
`;
  const { judges: [judge] = [], trials } = of(await run({}, workflow));
  expect(trials).toMatchObject({ failed: 2, broken: 0 });
  expect(judge).toMatchObject({ claims: { verified: 6, supported: 4 } });
  const testCases = ['It opened in 1934.', 'It opened in 1943.'].map((actualOutput, index) => ({
    name: `case ${index}`,
    input: 'When did it open?',
    actualOutput,
    retrievalContext: ['The bridge: It opened in 1934.'],
    success: true,
    metricsData: [{ name: 'Any', score: 1, threshold: 0.5, success: true }],
  }));
  writeFileSync(path.join(cwd, 'runs.json'), JSON.stringify({ testCases }));
  const recorded = `name = "recorded"
min_pass_rate = 0
[recording]
files = ["runs.json"]
verdict = "own"
faithful = { judge = "grounded" }
`;
  const scenario = of(await run({}, recorded));
  expect(scenario).toMatchObject({
    trials: { passed: 1, failed: 1 },
    judges: [{ met: 1, unmet: 1, claims: { verified: 2, supported: 1 } }],
  });
  const named = await run({ paths: [], recordings: ['runs.json'], judgedBy: ['grounded'] });
  expect(of(named)).toMatchObject({
    trials: { passed: 1, failed: 1 },
    checks: [{ check: 'faithful grounded', failed: 1 }],
  });
});
