import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  calibrateJudge,
  type FakeJudgeServer,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  startFakeJudge,
  type SuiteReport,
  traceTrial,
} from '../../../src/index.ts';
import { comparedTrials } from '../../../src/judges/compared-trials.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { aRecord } from '../../judges/a-record.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-prefers-'));
let server: FakeJudgeServer;
beforeAll(async () => {
  server = await startFakeJudge();
  for (const ties of [false, true]) {
    const name = ties ? 'ties' : 'shop';
    writeFileSync(path.join(cwd, `${name}.toml`), shop(name, ties));
  }
  writeFileSync(path.join(cwd, 'reply.toml'), REPLY);
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Half of the answers are much better than the reference, and half much worse; the fake judge reads how much. */
const ANSWERS = '[{ SAYS = "Kindly: yes. [[quality=1]]" }, { SAYS = "Go away. [[quality=-1]]" }]';
const PREFERS = (ties: boolean) => `judge = "better"\nover = "Yes. [[quality=0]]"\nties = ${ties}\n`;

function shop(name: string, ties: boolean): string {
  return `name = "${name}"
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
agents = [{ name = "a", turns = [{ variants = ${ANSWERS.replaceAll('SAYS', 'says')} }] }]
[[tasks.expected.prefers]]
${PREFERS(ties)}`;
}

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
variants = ${ANSWERS.replaceAll('SAYS', 'content')}
[expected]
status = "completed"
[[expected.prefers]]
${PREFERS(false)}`;

const BETTER: JudgeSetting = {
  name: 'better',
  models: ['grader'],
  compares: true,
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
};
const grader = (model: string) =>
  ({ grader: { provider: 'openai-compatible', model, baseUrl: server.url, price: { input: 1, output: 1 } } }) as const;

function run(file: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  const models = grader('skill=20');
  return runSuite({ cwd, paths: [file], seed: 3, workers: 0, judges: [BETTER], models, ledger: true, ...options });
}

const of = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;
const bytes = ({ timing: _, ...report }: SuiteReport): string => JSON.stringify(report);

test.each(['shop.toml', 'reply.toml'])('%s passes where the judge prefers its answer in both orders', async (file) => {
  const { trials, judges, checks, ledger, cost } = of(await run(file));
  expect(trials.passed + trials.failed).toBe(24);
  expect(trials.passed).toBeGreaterThan(0);
  expect(trials.failed).toBeGreaterThan(0);
  expect(judges).toMatchObject([{ judge: 'better', met: trials.passed, unmet: trials.failed, errors: 0 }]);
  expect(judges?.[0]?.position).toMatchObject({ rounds: 24, consistent: 24, decisive: 48, first: 24, firstShare: 0.5 });
  expect(checks.find(({ check }) => check === 'prefers better')).toMatchObject({ failed: trials.failed });
  // Two questions for each trial, none of them the subject's.
  expect(ledger?.find(({ kind }) => kind === 'judge')).toMatchObject({ name: 'judge:better/grader', units: 48 });
  expect(cost.total.promptTokens ?? 0).toBe(0);
});

test('a judge that follows the place prefers nothing: it ties, and may not decide', async () => {
  const models = grader('position=20');
  const [shop, ties] = [of(await run('shop.toml', { models })), of(await run('ties.toml', { models }))];
  expect([shop.trials.passed, ties.trials.passed]).toEqual([0, 24]);
  expect(ties.judges?.[0]?.position).toMatchObject({ consistency: 0, firstShare: 1 });
  expect(renderReport(await run('ties.toml', { models }), { columns: 200 })).toContain(
    'both orders agree in 0.00 · first place chosen 1.00',
  );
  expect(ties.judges?.[0]?.why.at(-1)).toContain('the same in both orders in 0.0 % of comparisons');
});

test('comparisons come from a cassette again, and a trial shows what was said in each order', async () => {
  const recorded = await run('shop.toml', { record: 'a.cassette' });
  const asked = server.asked();
  expect(bytes(await run('shop.toml', { replay: 'a.cassette' }))).toBe(bytes(recorded));
  expect(server.asked()).toBe(asked);
  const options = { cwd, file: 'shop.toml', seed: 3, judges: [BETTER], models: grader('skill=20') };
  const { record } = await traceTrial({ ...options, trial: 0, replay: 'a.cassette' });
  const orders = record.rulings?.[0]?.answers[0]?.orders;
  expect(orders).toEqual({ first: orders?.second, second: orders?.first });
  expect(orders?.first).toMatch(/win|loss/);
});

test('a gate on preferences waits for a calibration, which holds for comparisons alone', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => `good ${at},pass,pass\nbad ${at},fail,fail`);
  writeFileSync(path.join(cwd, 'labels.csv'), `id,human,judge\n${rows.join('\n')}\n`);
  const models = grader('skill=20');
  const calibrate = async (judge: JudgeSetting): Promise<void> => {
    const found = await calibrateJudge({ cwd, labels: ['labels.csv'], judge: 'better', judges: [judge], models });
    writeFileSync(path.join(cwd, 'better.json'), JSON.stringify(found));
  };
  const judges = [{ ...BETTER, calibration: 'better.json' }];
  const gates = ['pass_rate <= 0.9'];
  await calibrate(BETTER);
  const decided = await run('shop.toml', { judges, gates });
  expect([decided.gate.verdict, of(decided).judges?.[0]?.verdict]).toEqual(['pass', 'calibrated']);
  await calibrate({ ...BETTER, compares: false });
  const stale = await run('shop.toml', { judges, gates });
  expect([stale.gate.verdict, of(stale).judges?.[0]?.verdict]).toEqual(['insufficient', 'stale']);
});

test('a judge is asked only for what it does, and by each scenario about one answer', async () => {
  const rubric = { ...BETTER, compares: false };
  await expect(run('shop.toml', { judges: [rubric] })).rejects.toThrow('judges answers by criteria');
  const file = shop('odd', false);
  const write = (text: string): void => writeFileSync(path.join(cwd, 'odd.toml'), text);
  const [head = ''] = file.split('[[tasks.expected.prefers]]');
  write(`${head}[tasks.expected]\njudges = ["better"]\n`);
  await expect(run('odd.toml')).rejects.toThrow('compares answers');
  write(`${file}[[tasks.expected.prefers]]\n${PREFERS(true)}`);
  await expect(run('odd.toml')).rejects.toThrow('compares with two answers by the judge "better"');
});

test('two compared trials differ in nothing but the last answer', () => {
  const { trial, other } = comparedTrials(aRecord('Yes, it is.'), 'No.');
  const [, own] = trial.turns;
  expect(own?.parts).toEqual([{ kind: 'text', text: 'Yes, it is.' }]);
  expect(other).toEqual({ ...trial, turns: [trial.turns[0], { ...own, parts: [{ kind: 'text', text: 'No.' }] }] });
  // The call of the model that answered repeats the answer: the other record must not show it.
  const record = aRecord('Yes, it is.', { result: 'Yes, it is.' });
  const calls = (record.calls ?? []).map((call) => ({ ...call, port: 'model' as const }));
  expect(JSON.stringify(comparedTrials({ ...record, calls }, 'No.').other)).not.toContain('Yes, it is.');
  const silent = { ...aRecord(''), turns: aRecord('').turns.slice(0, 1) };
  expect(comparedTrials(silent, 'No.')).toMatchObject({ trial: silent, other: { turns: [{}, { role: 'assistant' }] } });
});
