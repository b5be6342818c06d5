import { expect, test } from 'vitest';
import { minPassRateGate } from '../../src/gate/min-pass-rate.ts';
import {
  explainScenario,
  mergeShards,
  planSuite,
  renderAnswerTree,
  renderReport,
  runShard,
  runSuite,
} from '../../src/index.ts';
import { foldScenario } from '../../src/suite/fold/fold.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { compileTrial } from '../../src/trial/compile-trial.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import type { FailureDetail } from '../../src/types/scenarios/failure-report.ts';
import { aRouter } from './scenarios.ts';
import { asWorkflow } from '../support/as-workflow.ts';
import { judged } from '../support/sampled.ts';
import { exactOf } from '../../src/types/reports/scenario-report.ts';

const LOOP = 'corpus/reliability/exact-loop.toml';
const OPINIONS = 'corpus/reliability/exact-opinions.toml';
const text = ({ timing: _, ...report }: SuiteReport): string => JSON.stringify(report);

test('an enumerated scenario has exact numbers, and none that are sampled', async () => {
  const report = await runSuite({ paths: [OPINIONS], workers: 0 });
  const [scenario] = report.scenarios;
  const row = judged(scenario);
  for (const key of ['passRate', 'passRateInterval', 'strictPassK', 'passHatK', 'cost', 'checks', 'turns']) {
    expect(row).not.toHaveProperty(key);
  }
  expect(row.trials).toEqual({ requested: 0, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 });
  const exact = exactOf(row);
  expect(exact).toMatchObject({
    leaves: 4,
    passRate: 0.875,
    passRateFraction: '7/8',
    brokenRate: 0,
    statuses: { completed: 0.875, failed: 0.125 },
    checks: [
      { check: 'status', chance: 0.125 },
      { check: 'last_node', chance: 0.125 },
    ],
    failing: [
      {
        answers: [
          { turn: 'turns[0]', occurrence: 0, variant: 1 },
          { turn: 'turns[1]', occurrence: 0, variant: 1 },
        ],
        chance: 0.125,
        leaves: 2,
        checks: ['status', 'last_node'],
        leaf: 2,
      },
    ],
    failingSequences: 1,
  });
  expect(exact?.counters.llmCalls).toBe(1.375);
  expect(exact?.passHatK.find(({ k }) => k === 8)?.value).toBe(0.875 ** 8);
  expect([report.gate.verdict, scenario?.verdict]).toEqual(['pass', 'passed']);
});

test('its report is the same bytes inline, on workers and from shards', async () => {
  const options = { paths: ['corpus/reliability/*-loop.toml', OPINIONS], minPassRate: 0 };
  const inline = await runSuite({ ...options, workers: 0 });
  expect(text(await runSuite({ ...options, workers: 2 }))).toBe(text(inline));
  const shards: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ paths: options.paths, workers: 0, shard: { index, count: 2 } });
    shards.push({ name: `shard ${index}`, bytes });
  }
  const { report } = await mergeShards(shards, { minPassRate: 0 });
  expect(text(report)).toBe(text(inline));
});

test('bars and gates are judged on exact numbers, and totals of trials do not exist', async () => {
  const gates = [
    'exact.pass_rate >= 0.875',
    'exact.pass^2 < 0.8',
    'exact.cost_per_success <= 1',
    'pass_rate >= 0.1',
    'tokens <= 1',
  ];
  const { gate } = await runSuite({ paths: [OPINIONS], workers: 0, gates, minPassRate: 0.9 });
  expect(gate.expressions.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass', 'insufficient']);
  expect(gate.reasons).toEqual([
    "exact-opinions: exact pass rate 0.88 is below the suite's floor 0.90.",
    'exact-opinions: has no trials to count in, because its answers are enumerated.',
  ]);
  expect(gate.violations).toEqual([
    { scenario: 'exact-opinions', passRate: null, exactPassRate: 0.875, required: 0.9 },
  ]);
  const sampled = await runSuite({ scenarios: [aRouter()], workers: 0, gates: ['exact.pass^8 >= 0.5'] });
  expect(sampled.gate.expressions[0]?.verdict).toBe('insufficient');
});

test('without a bar every sequence of answers must pass', async () => {
  const report = await runSuite({ scenarios: [aRouter({ sampler: 'exhaustive' })], workers: 0 });
  expect(report.gate.reasons).toEqual([
    'router: exact pass rate 0.50, and it declares no min_pass_rate, so every trial must pass.',
  ]);
  expect(judged(report.scenarios[0]).failures.map(({ trial, replay }) => [trial, replay])).toEqual([
    [1, 'traceTrial({ scenario, trial: 1, seed: 0 })'],
  ]);
});

test('what is drawn besides answers is refused, all such scenarios at once', async () => {
  const run = runSuite({ paths: ['corpus/reliability/jittered-retry.toml'], sampler: 'exhaustive', workers: 0 });
  await expect(run).rejects.toMatchObject({
    code: 'PLAN',
    issues: [{ code: 'not_exhaustive', message: expect.stringContaining('has jitter') }],
  });
});

test('a tree that is too large is not enumerated but bounded, and gives no verdict', async () => {
  const options = resolveRunOptions({ paths: [LOOP] });
  const input = await loadFor(options);
  const plan = asWorkflow(planRun({ ...input, scenarios: input.suite.scenarios }, options).scenarios[0]);
  const program = compileTrial(plan, {
    registry: builtinRegistry,
    compileSchema: () => () => [],
    callHost: null,
    startClock: () => ({ elapsedUs: () => 0, alarm: () => () => undefined }),
    maxLeaves: 2,
  });
  const tally = program.newTally();
  program.run(0, 1, tally);
  const { info } = program;
  const shown = tally.shown.map(({ detail }) => ({ ...(JSON.parse(detail) as FailureDetail), replay: '' }));
  const report = foldScenario({ plan, info, tally, failures: shown, requested: 1, seed: 0 });
  expect([exactOf(report), report.verdict]).toEqual([null, 'failed']);
  const verdict = minPassRateGate([report], { minPassRate: null });
  expect(verdict).toMatchObject({
    verdict: 'insufficient',
    reasons: [
      'exact-loop: could not be enumerated: There are more than 2 sequences of answers, so they are not enumerated; those ' +
        'found put the pass rate between 0.9375 and 1. Sampling tells it to about ±0.01 with 10,000 trials: ' +
        'sampler = "seeded".',
    ],
  });
});

test('a plan says that nothing is left to chance', async () => {
  const { trials, scenarios } = await planSuite({ paths: [LOOP] });
  expect([trials, scenarios[0]?.bar.sentences]).toEqual([
    0,
    ['min_pass_rate = 0.99609375: answers are enumerated, so the pass rate is exact and the verdict without error.'],
  ]);
});

test('every reporter tells exact numbers', async () => {
  const report = await runSuite({ paths: [OPINIONS], workers: 0 });
  for (const reporter of ['text', 'markdown', 'junit', 'json', 'tap', 'html'] as const) {
    expect(renderReport(report, { reporter })).toMatch(/7\/8|0\.875|0\.88/);
  }
});

test('the tree of answers shows what leads where', async () => {
  const tree = await explainScenario({ file: OPINIONS });
  expect(renderAnswerTree(tree, { columns: 60 })).toMatchInlineSnapshot(`
    "exact-opinions: 4 sequences of answers, passes 87.5 %

    → first asks (turns[0])
    ├─ 75 %  "{"approve": true}"
    │  → first_says[true] → approved
    │  ✓ passes (completed, leaf)
    └─ 25 %  "{"approve": false}"
       → first_says[false] → second asks (turns[1])
       ├─ 50 %  "{"approve": true}"
       │  → second_says[true] → approved
       │  ✓ passes (completed, leaf)
       └─ 50 %  "{"approve": false}"
          → second_says[false] → note asks (turns[2])
          └─ 100 %  "too risky" or "too dear"
             → declined
             ✗ FAILS status, last_node (failed, fail: both
             declined; leaf 2)
    "
  `);
  const loop = await explainScenario({ file: LOOP });
  expect(renderAnswerTree(loop, { columns: 44, unicode: false, depth: 2 })).toMatchInlineSnapshot(`
    "exact-loop: 5 sequences of answers, passes
    99.6 %

    > judge asks (node:judge[0])
    +- 75 %  "accept"
    |  > verdict[accept] > accepted
    |  + passes (completed, terminate)
    +- 25 %  "again"
       > verdict[again] > judge asks
       (node:judge[0], time 2)
       +- 75 %  "accept"
       |  > verdict[accept] > accepted
       |  + passes (completed, terminate)
       +- 25 %  "again"
          > verdict[again] > judge asks
          (node:judge[0], time 3) ~ 3 sequences,
          passes 93.8 %, not shown (--depth)
    "
  `);
});

test('deduplicated trials change nothing but how many were executed', async () => {
  const options = { paths: ['corpus/reliability/[e-t]*.toml'], trials: 400 };
  const plain = await runSuite({ ...options, workers: 0 });
  const once = await runSuite({ ...options, workers: 0, dedupe: true });
  const counts = ({ summary }: SuiteReport) => summary.trials;
  expect(counts(once).executed + counts(once).deduplicated).toBe(counts(plain).executed);
  expect(counts(once).deduplicated).toBeGreaterThan(0.5 * counts(once).requested);
  const uncounted = (report: SuiteReport): string =>
    text(report).replaceAll(/"executed":\d+,"deduplicated":\d+/g, '"executed":0,"deduplicated":0');
  expect(uncounted(once)).toBe(uncounted(plain));
  expect(text(await runSuite({ ...options, workers: 2, dedupe: true }))).toBe(text(once));
});
