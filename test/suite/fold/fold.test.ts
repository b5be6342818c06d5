import { aChaos, aToolFault } from '../../faults/chaos/a-chaos.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldScenario } from '../../../src/suite/fold/fold.ts';
import { givenUpNotice } from '../../../src/suite/given-up-notice.ts';
import { markNotRun } from '../../../src/pool/repair/mark-broken.ts';
import { namedCounters } from '../../../src/engine/named-counters.ts';
import { loadErrorReport } from '../../../src/suite/load-error-report.ts';
import type { SampledScenario, ScenarioReport } from '../../../src/types/reports/scenario-report.ts';
import type { Tally } from '../../../src/trial/tally/tally.ts';
import { COUNTERS } from '../../../src/types/trial.ts';
import type { StopEarlyReport } from '../../../src/types/stop-early.ts';
import { anInfo, aPlan, aTally, named, type PlanChanges, type TallyNumbers } from '../a-tally.ts';
import { sampled } from '../../support/sampled.ts';

function fold(numbers: TallyNumbers, changes: PlanChanges = {}): SampledScenario {
  return sampled(
    foldScenario({
      plan: aPlan(numbers.trials, changes),
      info: anInfo,
      tally: aTally(numbers),
      failures: [],
      requested: numbers.trials,
      seed: 7,
    }),
  );
}

/** Every second of eight trials fails. */
const fragile: TallyNumbers = { trials: 8, failing: { 1: [1, 2], 3: [1, 2], 5: [0], 7: [1, 2] } };

describe('a folded scenario', () => {
  test('has every number of its tally under its name', () => {
    const tally = aTally({ trials: 4, failing: { 1: [1, 2], 2: [0], 3: [1, 2] } });
    tally.observedLow = 0b10;
    tally.observedHigh = 0b1;
    const report = foldScenario({
      plan: aPlan(4),
      info: anInfo,
      tally,
      failures: [],
      requested: 4,
      seed: 7,
    });
    expect(report).toEqual({
      name: 'classify',
      file: 'corpus/classify.toml',
      description: null,
      tags: ['smoke'],
      capabilities: ['llm_infer', 'switch'],
      verdict: 'failed',
      pure: true,
      seed: 7,
      sampler: 'seeded',
      trials: { requested: 4, executed: 4, deduplicated: 0, passed: 1, failed: 3, broken: 0 },
      constant: true,
      passRate: 0.25,
      passRateInterval: [expect.closeTo(0.045587, 5), expect.closeTo(0.699358, 5)],
      strictPassK: 0,
      passHatK: [
        { k: 1, value: 0.25 },
        { k: 2, value: 0 },
        { k: 3, value: 0 },
        { k: 4, value: 0 },
      ],
      minPassRate: null,
      cost: {
        first: named({ llmCalls: 1, llmTokens: 100 }),
        mean: named({ llmCalls: 1, llmTokens: 100 }),
        total: named({ llmCalls: 4, llmTokens: 400 }),
        deviation: 0,
        perSuccess: 400,
        perSuccessInterval: [expect.closeTo(100 / 0.80588, 1), expect.closeTo(15_849.2, 1)],
      },
      statuses: { completed: 4, failed: 0, timed_out: 0, paused: 0, errored: 0 },
      stoppedBy: { terminate: 1, dead_end: 3 },
      virtualMs: { mean: 1.5, max: 1.5 },
      checks: [
        { check: 'last_node', failed: 2 },
        { check: 'path', failed: 2 },
        { check: 'status', failed: 1 },
      ],
      failureClasses: [
        { checks: ['last_node', 'path'], count: 2, lowestTrial: 1 },
        { checks: ['status'], count: 1, lowestTrial: 2 },
      ],
      failures: [],
      nodes: [
        { node: 'classify', type: 'llm_infer', visits: 4 },
        { node: 'route', type: 'switch', visits: 0 },
        { node: 'done', type: 'terminate', visits: 0 },
      ],
      edges: [
        { from: 'classify', to: 'route', when: null, visits: 4 },
        { from: 'route', to: 'done', when: 'alpha', visits: 0 },
      ],
      turns: [{ turn: '0', served: [2, 2] }],
      observed: ['switch', 'policy_shell'],
      reasons: {},
    });
  });

  test('passes strictly when all of 8 trials do', () => {
    const { verdict, strictPassK, passRate, trials } = fold({ trials: 8 });
    expect({ verdict, strictPassK, passRate, passed: trials.passed }).toEqual({
      verdict: 'passed',
      strictPassK: 1,
      passRate: 1,
      passed: 8,
    });
  });

  test('has pass^k 0 and a rate between when one variant is fragile', () => {
    const { verdict, strictPassK, passRate, trials } = fold(fragile);
    expect({ verdict, strictPassK, passRate, passed: trials.passed }).toEqual({
      verdict: 'failed',
      strictPassK: 0,
      passRate: 0.5,
      passed: 4,
    });
  });

  test('passes with a tolerant bar while pass^k stays 0', () => {
    const { verdict, strictPassK, passRate } = fold(fragile, { minPassRate: 0.4 });
    expect({ verdict, strictPassK, passRate }).toEqual({ verdict: 'passed', strictPassK: 0, passRate: 0.5 });
  });

  test('costs 100 tokens per success when all of 4 trials pass and 200 when half of them do', () => {
    expect([
      fold({ trials: 4 }).cost.perSuccess,
      fold({ trials: 4, failing: { 1: [0], 3: [0] } }).cost.perSuccess,
      fold({ trials: 4, tokens: 0 }).cost.perSuccess,
    ]).toEqual([100, 200, 0]);
  });

  test('bounds the cost per success by the trials it has, and says why it cannot', () => {
    const bounds = ({ cost, reasons }: SampledScenario) => [
      cost.perSuccessInterval,
      reasons['cost.perSuccessInterval'] ?? null,
    ];
    const turns = [{ variants: [{ content: 'a' }, { content: 'b' }] }] as never;
    expect(bounds(fold({ trials: 100 }, { turns }))).toEqual([[100, null], 'none_failed']);
    // Where nothing is drawn there is no trial that could cost otherwise.
    expect(bounds(fold({ trials: 100 }))).toEqual([[100, 100], null]);
    expect(bounds(fold({ trials: 1 }))).toEqual([null, 'one_trial']);
    expect(bounds(fold({ trials: 2, failing: { 0: [0], 1: [0] } }))).toEqual([null, 'none_passed']);
  });

  test('says why there is no cost per success when none passed', () => {
    const { cost, reasons } = fold({ trials: 1, failing: { 0: [0] } });
    expect([cost.perSuccess, reasons]).toEqual([
      null,
      { 'cost.deviation': 'one_trial', 'cost.perSuccess': 'none_passed', 'cost.perSuccessInterval': 'none_passed' },
    ]);
  });

  test('keeps broken trials in the denominator', () => {
    const { trials, passRate, strictPassK, verdict } = fold({ trials: 4, broken: { 3: 'out of memory' } });
    expect({ trials, passRate, strictPassK, verdict }).toEqual({
      trials: { requested: 4, executed: 4, deduplicated: 0, passed: 3, failed: 0, broken: 1 },
      passRate: 0.75,
      strictPassK: 0,
      verdict: 'failed',
    });
  });

  test('has no measures at all when it did not run', () => {
    const report = foldScenario({
      plan: aPlan(8),
      info: anInfo,
      tally: aTally({ trials: 0 }),
      failures: [],
      requested: 8,
      seed: 0,
    });
    expect(report).toEqual({
      name: 'classify',
      file: 'corpus/classify.toml',
      verdict: 'not_run',
      capabilities: ['llm_infer', 'switch'],
      seed: 0,
      sampler: 'seeded',
      trials: { requested: 8, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
      description: null,
      tags: ['smoke'],
      pure: true,
      minPassRate: null,
    });
  });

  test('prefers its own seed to the suite’s', () => {
    expect([fold({ trials: 1 }).seed, fold({ trials: 1 }, { seed: 42 }).seed]).toEqual([7, 42]);
  });

  test('is the same for trials counted whole or merged from parts in any order', () => {
    const foldTally = (tally: Tally): ScenarioReport =>
      foldScenario({ plan: aPlan(20), info: anInfo, tally, failures: [], requested: 20, seed: 0 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 19 })), fc.nat({ max: 20 }), fc.boolean(), (failed, cut, swap) => {
        const failing = Object.fromEntries(failed.map((trial) => [trial, trial % 3 === 0 ? [0] : [1, 2]]));
        const parts = [aTally({ trials: cut, failing }), aTally({ from: cut, trials: 20, failing })];
        const merged = aTally({ trials: 0 });
        for (const part of swap ? parts.reverse() : parts) merged.merge(part);
        expect(foldTally(merged)).toEqual(foldTally(aTally({ trials: 20, failing })));
      }),
      { numRuns: 50 },
    );
  });
});

test('parts that few reports have are there where they are declared', () => {
  const plan = aPlan(8);
  const stopEarly = { rule: 'curtail', verdict: null, planned: 8 } as unknown as StopEarlyReport;
  const chaos = aChaos({ toolFaults: [aToolFault({ mode: 'slow' })] });
  const report = foldScenario({
    plan: {
      ...plan,
      effects: ['http'],
      scenario: { ...plan.scenario, faults: { intelErrorOnCall: null, chaos } },
    },
    info: { ...anInfo, faults: ['slow'] },
    tally: aTally(fragile),
    failures: [],
    requested: 8,
    seed: 7,
    stopEarly,
  });
  expect(report).toMatchObject({ effects: ['http'], stopEarly, chaos: [{ fault: 'slow' }], calls: [] });
  for (const key of ['effects', 'stopEarly', 'chaos', 'calls']) expect(fold(fragile)).not.toHaveProperty(key);
});

test('counters bear the names of their positions, in that order', () => {
  const values = COUNTERS.map((_, position) => position * 6);
  expect(Object.entries(namedCounters(values, 2))).toEqual(COUNTERS.map((name, position) => [name, position * 3]));
});

test('a file that did not load is a row without measures, with its errors but not its warnings', () => {
  const problem = { code: 'unknown_key', severity: 'error', message: 'Unknown key "statuz".' } as const;
  const warning = { code: 'unused_turn', severity: 'warning', message: 'Turn 2 is never served.' } as const;
  const report = loadErrorReport(
    { ok: false, file: 'a.toml', name: 'a', capabilities: ['switch'], trials: 8, issues: [problem, warning] },
    { seed: 3, sampler: 'seeded' },
  );
  expect(report).toEqual({
    name: 'a',
    file: 'a.toml',
    verdict: 'load_error',
    capabilities: ['switch'],
    seed: 3,
    sampler: 'seeded',
    trials: { requested: 8, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    loadErrors: [problem],
  });
});

test('broken trials are counted by their cause, most frequent first, and those that were not run by number', () => {
  const tally = aTally({ trials: 6, broken: { 1: 'worker exited', 2: 'no answer', 4: 'no answer' } });
  markNotRun(tally, 6, 'not run');
  const report = foldScenario({ plan: aPlan(7), info: anInfo, tally, failures: [], requested: 7, seed: 7 });
  const { brokenCauses, notRun } = sampled(report);
  expect({ brokenCauses, notRun }).toEqual({
    brokenCauses: [
      { cause: 'no answer', count: 2, lowestTrial: 2 },
      { cause: 'worker exited', count: 1, lowestTrial: 1 },
      { cause: 'not run', count: 1, lowestTrial: 6 },
    ],
    notRun: 1,
  });
  expect(fold({ trials: 3 })).not.toHaveProperty('brokenCauses');
});

describe('the notice of what was given up', () => {
  test('is absent where all trials were run', () => {
    expect(givenUpNotice([{ name: 'a' }])).toEqual([]);
  });

  test('names the first scenarios and counts the others', () => {
    const reports = Array.from({ length: 7 }, (_, at) => ({ name: `s${at}`, notRun: at * 1000 }));
    expect(givenUpNotice(reports).map(({ message }) => message)).toEqual([
      '21,000 trials of 6 scenarios were not run, because too many trials before them ended their workers or never ended ("s1": 1,000, "s2": 2,000, "s3": 3,000, "s4": 4,000, "s5": 5,000 and 1 more).',
    ]);
  });
});
