import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  calibrateJudge,
  exitCode,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
} from '../../../src/index.ts';
import { judgedRate } from '../../../src/gate/judged-rate.ts';
import { renderText } from '../../../src/report/text/render-text.ts';
import { correctedRate } from '../../../src/stats/judged/corrected-rate.ts';
import { predictionPoweredRate } from '../../../src/stats/judged/prediction-powered-rate.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { askedOf, judgeOf, verdict } from '../../judges/a-judge.ts';
import { labelsOf } from '../../judges/labels.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-judged-gates-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Four of five answers are kind. */
writeFileSync(
  path.join(cwd, 'shop.toml'),
  `name = "shop"
trials = 200
min_pass_rate = 0.6
[session]
[state]
[[tools]]
name = "look"
steps = []
[[tasks]]
name = "ask"
user = { opening = "Is it in stock?" }
agents = [{ name = "a", turns = [{ variants = [{ says = "Kindly: yes.", weight = 4 }, { says = "Go away." }] }] }]
[tasks.expected]
judges = ["kindness"]
`,
);

const KINDNESS: JudgeSetting = {
  name: 'kindness',
  models: ['fair'],
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
  calibration: 'kindness.json',
};
const models = { fair: judgeOf('Kindly') };

/** Labels of people and verdicts of the judge: so many of 100 good and of 100 bad ones right. */
async function calibrate(
  right: readonly [number, number],
  judge = KINDNESS,
  rows = 100,
  sampleOf?: string,
): Promise<void> {
  writeFileSync(path.join(cwd, 'labels.csv'), labelsOf(right, rows));
  const sample = sampleOf !== undefined && { sampleOf };
  const about = { judge: judge.name, judges: [judge], models };
  const calibration = await calibrateJudge({ cwd, labels: ['labels.csv'], ...about, ...sample });
  writeFileSync(path.join(cwd, 'kindness.json'), JSON.stringify(calibration));
}

const GATES = ['pass_rate.lower(0.95) >= 0.6', 'pass_rate >= 0.6', 'pass^2 >= 0.4'];

function run(judge: JudgeSetting, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({
    cwd,
    paths: ['shop.toml'],
    seed: 5,
    workers: 0,
    gates: GATES,
    judges: [judge],
    models,
    ...options,
  });
}

const judgeIn = ({ scenarios }: SuiteReport) => (scenarios[0] as SampledScenario).judges?.[0];

test('a gate names every judge that may not decide, and that several cannot', async () => {
  const shop = readFileSync(path.join(cwd, 'shop.toml'), 'utf8');
  writeFileSync(path.join(cwd, 'two.toml'), shop.replace('["kindness"]', '["kindness", "truth", "steady"]'));
  const { calibration: _, ...unmeasured } = KINDNESS;
  const truth = { ...unmeasured, name: 'truth' };
  const steady = { ...KINDNESS, name: 'steady', calibration: 'other.json' };
  writeFileSync(path.join(cwd, 'labels.csv'), labelsOf([20, 20], 20));
  const calibration = await calibrateJudge({ cwd, labels: ['labels.csv'], judge: 'steady', judges: [steady], models });
  writeFileSync(path.join(cwd, 'other.json'), JSON.stringify(calibration));
  const report = await run(unmeasured, { paths: ['two.toml'], trials: 2, judges: [unmeasured, truth, steady] });
  const [reason = ''] = report.gate.reasons;
  expect(reason).toContain(
    'UNCALIBRATED_JUDGE: judges "kindness" and "truth" are uncalibrated: Nobody has measured it',
  );
  expect(reason).toContain('; judge "steady" is insufficient: ');
  expect(reason).toContain('; SEVERAL_JUDGES: what 3 judges say together cannot be corrected');
});

test('labels of a criterion that the judge does not have calibrate nothing', async () => {
  const labels = labelsOf([60, 60], 60).split('\n');
  const ruled = (criterion: string) => [
    `${labels[0]},criterion`,
    ...labels.slice(1).map((row) => `${row},${criterion}`),
  ];
  const about = { cwd, labels: ['labels.csv'], judge: 'kindness', judges: [KINDNESS], models };
  writeFileSync(path.join(cwd, 'labels.csv'), ruled('polite').join('\n'));
  await expect(calibrateJudge(about)).rejects.toMatchObject({
    issues: [{ message: 'The judge does not rule on criterion "polite".', at: { line: 2 } }],
  });
  writeFileSync(path.join(cwd, 'labels.csv'), ruled('kind').join('\n'));
  expect((await calibrateJudge(about)).verdict).toBe('calibrated');
});

test('a gate on what a judge says is insufficient until the judge is calibrated, decides then, and is stale with another rubric', async () => {
  const { calibration: _, ...unmeasured } = KINDNESS;
  const before = await run(unmeasured);
  expect(before.gate.verdict).toBe('insufficient');
  expect(exitCode(before)).toBe(3);
  expect(before.gate.expressions.map(({ verdict: one }) => one)).toEqual([
    'insufficient',
    'insufficient',
    'insufficient',
  ]);
  expect(before.gate.reasons[0]).toContain('UNCALIBRATED_JUDGE: judge "kindness" is uncalibrated');
  expect(judgeIn(before)).toMatchObject({ verdict: 'uncalibrated', corrected: null, accuracy: null });
  const text = renderText(before);
  expect(text).toContain('may not decide: Nobody has measured it');

  await calibrate([97, 95]);
  const after = await run(KINDNESS);
  expect(after.gate).toMatchObject({ verdict: 'pass', reasons: [] });
  const { trials, verdict: scenarioVerdict } = after.scenarios[0] as SampledScenario;
  const expected = correctedRate({
    judged: { trials: 200, passed: trials.passed },
    onPasses: { items: 100, agreed: 97 },
    onFailures: { items: 100, agreed: 95 },
  });
  expect(scenarioVerdict).toBe('passed');
  expect(judgeIn(after)).toMatchObject({ verdict: 'calibrated', why: [], decided: 200, passed: trials.passed });
  expect(judgeIn(after)?.corrected).toEqual({ rate: expected?.rate, interval: expected?.interval });
  // The rate that is read is the corrected one, and its bound is that of its own interval.
  expect(after.gate.expressions.map(({ results }) => results[0]?.value)).toEqual([
    expected?.interval[0],
    expected?.rate,
    (expected?.rate ?? 0) ** 2,
  ]);
  expect(after.gate.expressions[0]?.reason).toContain('corrected for what judge "kindness" gets wrong');
  const page = renderReport(after, { reporter: 'html' });
  for (const shown of ['sensitivity 0.97', '"kindness","it failed",["98"', '"kindness","it passed",["102"']) {
    expect(page).toContain(shown);
  }
  expect(renderText(after)).toMatch(/by itself it passed 1\d\d of 200 trials \(0\.\d+\); corrected 0\.\d+ \[/);

  const other = { ...KINDNESS, criteria: [{ id: 'kind', text: 'The agent is very kind.' }] };
  const stale = await run(other);
  expect(stale.gate.verdict).toBe('insufficient');
  expect(judgeIn(stale)).toMatchObject({ verdict: 'stale', why: [expect.stringContaining('another rubric')] });
  expect(judgeIn(await run({ ...KINDNESS, repeats: 3 }))).toMatchObject({
    verdict: 'stale',
    why: [expect.stringContaining('another judge')],
  });
});

test('a judge that passes what is bad is corrected downwards, so that a bar which it clears by itself is missed', async () => {
  await calibrate([100, 85]);
  let asked = 0;
  const lenient = (request: Parameters<ReturnType<typeof judgeOf>>[0]) => {
    const isLenient = asked++ % 6 === 0;
    return { content: verdict(askedOf(request), () => isLenient || askedOf(request).record.includes('Kindly')) };
  };
  const first = await run(KINDNESS, { models: { fair: lenient }, gates: [] });
  const { passed } = (first.scenarios[0] as SampledScenario).trials;
  asked = 0;
  const report = await run(KINDNESS, { models: { fair: lenient }, gates: [`pass_rate >= ${passed / 200}`] });
  expect((report.scenarios[0] as SampledScenario).trials.passed).toBe(passed);
  expect(judgeIn(report)?.corrected?.rate).toBeLessThan(passed / 200);
  expect(report.gate.verdict).toBe('fail');
});

test('bars of its own, noise, and labels that are too few or tell of disagreement keep a judge advisory', async () => {
  await calibrate([97, 95], KINDNESS, 40);
  expect(judgeIn(await run(KINDNESS))).toMatchObject({
    verdict: 'insufficient',
    why: [expect.stringContaining('50 of each kind')],
  });
  await calibrate([70, 70]);
  const unlike = await run(KINDNESS);
  expect(judgeIn(unlike)).toMatchObject({ verdict: 'advisory', why: [expect.stringContaining('Kappa')] });
  expect(unlike.gate.reasons.join(' ')).toContain('UNCALIBRATED_JUDGE: judge "kindness" is advisory');
  const noisy = { ...KINDNESS, repeats: 3 };
  await calibrate([97, 95], noisy);
  let asked = 0;
  const moods = (request: Parameters<ReturnType<typeof judgeOf>>[0]) => {
    const flips = asked++ % 10 === 0;
    return { content: verdict(askedOf(request), () => askedOf(request).record.includes('Kindly') !== flips) };
  };
  const report = await run(noisy, { models: { fair: moods } });
  expect(judgeIn(report)).toMatchObject({
    verdict: 'advisory',
    why: [expect.stringContaining('same question differ')],
  });
});

test('a judge whose probes miss a bar is advisory, and every report in which it judges says why', async () => {
  await calibrate([97, 95]);
  const rows = Array.from({ length: 60 }, () => 'style,fail pass\nnoise,pass pass pass');
  writeFileSync(path.join(cwd, 'probes.csv'), `probe,verdicts\n${rows.join('\n')}\n`);
  const about = { judge: 'kindness', judges: [KINDNESS], models };
  const found = await calibrateJudge({ cwd, labels: ['labels.csv'], probes: ['probes.csv'], ...about });
  writeFileSync(path.join(cwd, 'kindness.json'), JSON.stringify(found));
  const report = await run(KINDNESS);
  expect(judgeIn(report)).toMatchObject({ verdict: 'advisory', probes: [{ probe: 'style' }, { probe: 'noise' }] });
  expect(report.gate).toMatchObject({ verdict: 'insufficient' });
  expect(report.gate.reasons[0]).toContain('is advisory: The styled answer has 100.0 % of 60 decisive verdicts');
  const lines = renderText(report, { columns: 200 });
  expect(lines).toContain('style missed: The styled answer has 100.0 %');
  expect(lines).toContain('noise reached: 0.0 % of its answers differ');
  expect(lines).toMatch(/sensitivity 0\.97 \[0\.\d+, 0\.\d+\] on 100 labels/);
  const page = renderReport(report, { reporter: 'html' });
  expect(page).toContain('"kindness","style",["1.00"');
  expect(page).toContain('may not decide: The styled answer has 100.0 %');
});

test('labels that are a sample of the trials themselves correct the rate by inference, those of other trials do not', async () => {
  const gates = ['pass_rate.lower(0.95) >= 0.4'];
  await calibrate([97, 95]);
  const name = (await run(KINDNESS, { gates, trials: 1 })).scenarios[0]?.name;
  await calibrate([97, 95], KINDNESS, 100, name);
  const own = await run(KINDNESS, { gates });
  const { passed } = (own.scenarios[0] as SampledScenario).trials;
  const sample = { bothPassed: 97, onlyHumanPassed: 3, onlyJudgePassed: 5, bothFailed: 95 };
  const found = predictionPoweredRate(sample, { trials: 200, passed });
  expect(judgeIn(own)?.corrected).toEqual({ rate: found?.rate, interval: found?.interval });
  expect(own.gate.expressions[0]?.results[0]?.value).toBe(found?.interval[0]);
  expect(own.gate.expressions[0]?.reason).toContain('by labels of these trials');
  await calibrate([97, 95], KINDNESS, 100, 'another');
  const other = judgeIn(await run(KINDNESS, { gates }));
  expect(other?.accuracy?.sample).toBeUndefined();
  expect(other?.corrected?.rate).not.toBe(found?.rate);
  // Fewer than 100 labels are too few for it.
  const few = { scenario: 'shop', bothPassed: 50, onlyHumanPassed: 0, onlyJudgePassed: 0, bothFailed: 49 };
  const accuracy = { sensitivity: share(100, 97), specificity: share(100, 95) };
  const trials = { trials: 200, decided: 200, passed };
  expect(judgedRate(trials, { ...accuracy, sample: few })).toEqual(judgedRate(trials, accuracy));
});

test('numbers that no correction reaches are refused, and what a judge cannot save fails without one', async () => {
  await calibrate([97, 95]);
  const refused = await run(KINDNESS, { gates: ['failed <= 100', 'cost_per_success <= 5'] });
  expect(refused.gate.expressions.map(({ verdict: one }) => one)).toEqual(['insufficient', 'insufficient']);
  const { calibration: _, ...unmeasured } = KINDNESS;
  writeFileSync(
    path.join(cwd, 'silent.toml'),
    'name = "silent"\ntrials = 10\nmin_pass_rate = 0.5\n[workflow]\ninline = \'\'\'\nname = "w"\n[[start_nodes]]\nname = "main"\nsource = "manual"\n[[nodes]]\nid = "end"\ntype = "terminate"\n\'\'\'\n[expected]\nstatus = "failed"\njudges = ["kindness"]\n',
  );
  const failed = await run(unmeasured, { paths: ['silent.toml'], gates: [] });
  expect(failed.gate).toMatchObject({ verdict: 'fail' });
});

test('the corrected rate of trials that other checks fail too holds the truth as often as it says', () => {
  const accuracy = { sensitivity: share(100, 95), specificity: share(100, 90) };
  const alone = judgedRate({ trials: 200, decided: 200, passed: 150 }, accuracy);
  const beside = judgedRate({ trials: 400, decided: 200, passed: 150 }, accuracy);
  expect(beside?.rate).toBeCloseTo((alone?.rate ?? 0) / 2, 12);
  const [low = 0, high = 0] = beside?.interval ?? [];
  expect(low).toBeLessThan((alone?.interval[0] ?? 0) / 2);
  expect(high).toBeGreaterThan((alone?.interval[1] ?? 0) / 2);
  expect(judgedRate({ trials: 10, decided: 0, passed: 0 }, accuracy)?.rate).toBe(0);
  expect(judgedRate({ trials: 0, decided: 0, passed: 0 }, accuracy)).toBeNull();
});

function share(items: number, agreed: number) {
  return { items, agreed, share: agreed / items, interval: null };
}
