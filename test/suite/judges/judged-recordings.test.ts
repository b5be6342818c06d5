import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  calibrateJudge,
  type FakeJudgeServer,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  startFakeJudge,
} from '../../../src/index.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { folderWith, tauText } from '../recordings/tau-runs.ts';

let server: FakeJudgeServer;
beforeAll(async () => {
  server = await startFakeJudge();
});
afterAll(() => server.close());

const FILE = `name = "shop"
min_pass_rate = 0
[recording]
files = ["runs.json"]
verdict = "own"
judges = ["kindness"]
`;

/** Ten runs of each task, all said to be right; of each task the first so many are. */
function runsOf(good: Readonly<Record<string, number>>): string {
  return tauText(
    Object.entries(good).flatMap(([task, count]) =>
      Array.from({ length: 10 }, (_, trial) => {
        return { task, trial, reward: 1, calls: ['cancel', 'look'], says: `[[good=${trial < count ? 1 : 0}]]` };
      }),
    ),
  );
}

const KINDNESS: JudgeSetting = {
  name: 'kindness',
  models: ['grader'],
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
  calibration: 'kindness.json',
};

async function run(runs: string, options: RunSuiteOptions & { readonly model?: string; readonly file?: string } = {}) {
  const { model = 'fair', file = FILE, ...others } = options;
  const cwd = folderWith({ 'shop.toml': file, 'runs.json': runs });
  const price = { input: 1, output: 1 };
  const models = { grader: { provider: 'openai-compatible', model, baseUrl: server.url, price } } as const;
  const rows = Array.from({ length: 100 }, (_, at) => `good ${at},pass,pass\nbad ${at},fail,fail`);
  writeFileSync(path.join(cwd, 'labels.csv'), `id,human,judge\n${rows.join('\n')}\n`);
  const found = await calibrateJudge({ cwd, labels: ['labels.csv'], judge: 'kindness', judges: [KINDNESS], models });
  writeFileSync(path.join(cwd, 'kindness.json'), JSON.stringify(found));
  const report = await runSuite({ cwd, workers: 0, judges: [KINDNESS], models, ledger: true, ...others });
  return { report, scenario: report.scenarios[0] as SampledScenario };
}

test('recorded runs are judged, whatever their source says of them, and a gate reads the corrected rate', async () => {
  const gates = ['pass_rate.lower(0.95) >= 0.4', 'pass^2 >= 0.3'];
  const { report, scenario } = await run(runsOf({ a: 7 }), { gates });
  expect(scenario).toMatchObject({
    trials: { passed: 7, failed: 3 },
    checks: [{ check: 'judge kindness', failed: 3 }],
  });
  expect(scenario.judges).toMatchObject([{ verdict: 'calibrated', met: 7, unmet: 3, errors: 0 }]);
  expect(report.gate.expressions.map(({ verdict }) => verdict)).toEqual(['insufficient', 'pass']);
  expect(report.gate.expressions[1]?.results[0]?.value).toBeCloseTo(0.49, 10);
});

test('what judges cost is not what the runs cost', async () => {
  const judged = await run(runsOf({ a: 7 }));
  const plain = await run(runsOf({ a: 7 }), { file: FILE.replace(/judges.*/, '') });
  expect(judged.scenario.ledger?.find(({ kind }) => kind === 'judge')).toMatchObject({ units: 10 });
  expect(judged.scenario.cost.total).toEqual(plain.scenario.cost.total);
  expect(judged.scenario.recording?.cost).toEqual(plain.scenario.recording?.cost);
});

test('runs of several tasks are not alike: of what a judge says of them only the plain rate is corrected', async () => {
  const gates = ['pass_rate >= 0.5', 'pass_rate.lower(0.95) >= 0.2', 'pass^2 >= 0.2'];
  const { report } = await run(runsOf({ a: 10, b: 2 }), { gates });
  expect(report.gate.expressions.map(({ verdict }) => verdict)).toEqual(['pass', 'insufficient', 'insufficient']);
  expect(report.gate.reasons.join(' ')).toContain('runs of several tasks');
});

test('a judge that says nothing readable is an error of its own, and none of the runs', async () => {
  const { scenario } = await run(runsOf({ a: 7 }), { model: 'empty=1' });
  expect(scenario.trials).toMatchObject({ passed: 0, failed: 0, broken: 10 });
  expect(scenario.judges).toMatchObject([{ errors: 10, errorRate: 1, met: 0, unmet: 0 }]);
  expect(scenario.recording?.tasks).toBe(0);
});

test('runs that are named without a file about them are judged by the judges that the caller names', async () => {
  const { report, scenario } = await run(runsOf({ a: 7 }), {
    file: '',
    paths: [],
    recordings: ['runs.json'],
    judgedBy: ['kindness', 'kindness'],
    gates: ['pass_rate >= 0.5'],
  });
  expect(scenario).toMatchObject({
    trials: { passed: 7, failed: 3 },
    checks: [{ check: 'judge kindness', failed: 3 }],
  });
  expect(scenario.judges).toMatchObject([{ judge: 'kindness', verdict: 'calibrated' }]);
  expect(report.gate.verdict).toBe('pass');
});
