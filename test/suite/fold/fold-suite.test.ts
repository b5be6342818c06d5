import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { renderJson } from '../../../src/report/render-json.ts';
import { reportSchema } from '../../../src/report/report-schema.ts';
import { passHatK } from '../../../src/stats/pass-hat-k.ts';
import { stratifiedRateInterval } from '../../../src/stats/stratified-rate-interval.ts';
import { wilsonInterval } from '../../../src/stats/wilson.ts';
import { foldScenario } from '../../../src/suite/fold/fold.ts';
import { foldSuite } from '../../../src/suite/fold/fold-suite.ts';
import { judgeBars } from '../../../src/suite/gate-run.ts';
import { loadErrorReport } from '../../../src/suite/load-error-report.ts';
import type { SuiteReport } from '../../../src/types/reports/report.ts';
import { isSampled, type ScenarioReport } from '../../../src/types/reports/scenario-report.ts';
import type { TimingReport } from '../../../src/types/reports/timing-report.ts';
import { anInfo, aPlan, aTally, named, type PlanChanges, type TallyNumbers } from '../a-tally.ts';

const timing: TimingReport = {
  startedAt: '2000-01-01T00:00:00.000Z',
  durationMs: 12,
  trialsPerSecond: 1000,
  workers: 0,
  executor: 'inline',
  host: { platform: 'linux', cores: 2, node: '20.20.2' },
};

function suite(reports: readonly ScenarioReport[], minPassRate: number | null = null): SuiteReport {
  const report = foldSuite({ reports, seed: 0, partial: false, notices: [], version: '0.1.0', timing });
  return { ...report, gate: judgeBars({ report, cells: [] }, { minPassRate, gates: [], minScore: null }) };
}

function scenario(numbers: TallyNumbers, changes: PlanChanges = {}): ScenarioReport {
  const { trials } = numbers;
  return foldScenario({
    plan: aPlan(trials, changes),
    info: anInfo,
    tally: aTally(numbers),
    failures: [],
    requested: trials,
    seed: 0,
  });
}

function loadError(): ScenarioReport {
  const problem = { code: 'unknown_key', severity: 'error', message: 'Unknown key "statuz".' } as const;
  return loadErrorReport(
    { ok: false, file: 'a.toml', name: 'a', capabilities: [], trials: 8, issues: [problem] },
    { seed: 0, sampler: 'seeded' },
  );
}

const five = { trials: 8, failing: { 1: [0], 3: [0], 5: [0] } };

describe('a folded suite', () => {
  test('has the mean strict pass^k 0.5 of one robust and one flaky scenario, and their sums', () => {
    const { summary } = suite([scenario({ trials: 8 }), scenario(five)]);
    expect(summary).toEqual({
      scenarios: 2,
      passed: 1,
      failed: 1,
      notRun: 0,
      loadErrors: 0,
      trials: { requested: 16, executed: 16, deduplicated: 0, passed: 13, failed: 3, broken: 0 },
      meanStrictPassK: 0.5,
      meanPassRate: 0.8125,
      passHatK: expect.any(Array),
      total: named({ llmCalls: 16, llmTokens: 1600 }),
      first: named({ llmCalls: 2, llmTokens: 200 }),
      costPerSuccess: 1600 / 13,
      reasons: {},
    });
  });

  test('has pass^k of the suite, the mean over scenarios, up to the fewest trials, with the interval that gates use', () => {
    const { summary } = suite([scenario({ trials: 8 }), scenario(five), scenario({ trials: 10 })]);
    expect(summary.passHatK.map(({ k, value }) => [k, value])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((k) => [k, expect.closeTo((2 + (passHatK(8, 5, k) ?? 0)) / 3, 12)]),
    );
    expect(summary.passHatK[3]?.interval).toEqual(
      stratifiedRateInterval([
        { value: 1, groups: 2 },
        { value: passHatK(8, 5, 4) ?? 0, groups: 2 },
        { value: 1, groups: 2 },
      ]),
    );
    // A single scenario has its own interval; a file that did not load counts 0.
    expect(suite([scenario(five)]).summary.passHatK[0]?.interval).toEqual(wilsonInterval(8, 5));
    const [first] = suite([scenario({ trials: 8 }), loadError()]).summary.passHatK;
    expect(first).toEqual({ k: 1, value: 0.5, interval: [expect.closeTo(0.5 * 0.025 ** (1 / 8), 12), 0.5] });
    expect(suite([loadError()]).summary.passHatK).toEqual([]);
  });

  test('has intervals of pass^k that hold it, for one scenario and for several, up to all their trials', () => {
    const counts = fc.array(
      fc
        .integer({ min: 1, max: 12 })
        .chain((trials) => fc.record({ trials: fc.constant(trials), passed: fc.nat(trials) })),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(counts, (each) => {
        const reports = each.map(({ trials, passed }) => {
          const failing = Array.from({ length: trials - passed }, (_, trial) => [trial, [0]] as const);
          return scenario({ trials, failing: Object.fromEntries(failing) });
        });
        for (const { k, value, interval } of suite(reports).summary.passHatK) {
          const [low = 1, high = 0] = interval ?? [];
          expect([k, low <= value, value <= high]).toEqual([k, true, true]);
        }
      }),
    );
  });

  test('divides the tokens of all trials by the trials that passed', () => {
    const { summary } = suite([scenario({ trials: 4, failing: { 1: [0], 3: [0] } })]);
    expect(summary.costPerSuccess).toBe(200);
  });

  test('fails a tolerant scenario only for a floor above its bar', () => {
    const tolerant = scenario({ trials: 8, failing: { 1: [0], 3: [0], 5: [0], 7: [0] } }, { minPassRate: 0.4 });
    expect(suite([tolerant]).gate).toEqual({
      verdict: 'pass',
      minPassRate: null,
      reasons: [],
      violations: [],
      expressions: [],
    });
    expect(suite([tolerant], 0.6).gate.violations).toEqual([{ scenario: 'classify', passRate: 0.5, required: 0.6 }]);
  });

  test('counts a file that did not load as pass^k and pass rate 0', () => {
    const { summary } = suite([scenario({ trials: 8 }), loadError()]);
    const { passed, failed, loadErrors, meanStrictPassK, meanPassRate } = summary;
    expect({ passed, failed, loadErrors, meanStrictPassK, meanPassRate }).toEqual({
      passed: 1,
      failed: 0,
      loadErrors: 1,
      meanStrictPassK: 0.5,
      meanPassRate: 0.5,
    });
  });

  test('leaves scenarios that the run never reached out of the means', () => {
    const idle = foldScenario({
      plan: aPlan(8),
      info: anInfo,
      tally: aTally({ trials: 0 }),
      failures: [],
      requested: 8,
      seed: 0,
    });
    expect(suite([scenario({ trials: 8 }), idle]).summary.meanStrictPassK).toBe(1);
    const { meanStrictPassK, meanPassRate, costPerSuccess, reasons } = suite([idle]).summary;
    expect({ meanStrictPassK, meanPassRate, costPerSuccess, reasons }).toEqual({
      meanStrictPassK: null,
      meanPassRate: null,
      costPerSuccess: null,
      reasons: { meanStrictPassK: 'not_run', meanPassRate: 'not_run', costPerSuccess: 'not_run' },
    });
  });

  test('says why its means are null without scenarios', () => {
    const { summary, gate } = suite([]);
    expect([summary.meanStrictPassK, summary.reasons, gate.verdict]).toEqual([
      null,
      { meanStrictPassK: 'no_scenario', meanPassRate: 'no_scenario', costPerSuccess: 'no_scenario' },
      'insufficient',
    ]);
  });

  test('is valid by its schema, gives a reason for every null measure and adds up, whatever happened', () => {
    const schema = Compile(reportSchema);
    const numbers = fc.record({
      trials: fc.nat({ max: 12 }),
      failed: fc.array(fc.nat({ max: 11 })),
      broken: fc.array(fc.nat({ max: 11 })),
      bar: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(numbers, { maxLength: 4 }), fc.boolean(), (rows, broken) => {
        const scenarios = rows.map((row) =>
          scenario(
            {
              trials: row.trials,
              failing: Object.fromEntries(row.failed.map((trial) => [trial, [trial % 3]])),
              broken: Object.fromEntries(row.broken.map((trial) => [trial, 'lost'])),
            },
            { minPassRate: row.bar },
          ),
        );
        const report = suite(broken ? [...scenarios, loadError()] : scenarios);
        const value = JSON.parse(renderJson(report, { timing: true }));
        expect(schema.Errors(value)[1]).toEqual([]);
        expect(value).toEqual(report);
        const { summary } = report;
        expect(summary.passed + summary.failed + summary.notRun + summary.loadErrors).toBe(summary.scenarios);
        for (const { trials } of [summary, ...report.scenarios]) {
          expect(trials.passed + trials.failed + trials.broken).toBe(trials.executed);
        }
        for (const part of [summary, ...report.scenarios.filter(isSampled)])
          expect(nullMeasures(part)).toEqual(Object.keys(part.reasons).sort());
      }),
      { numRuns: 100 },
    );
  });
});

/** Names of measures that are null: `costPerSuccess`, `cost.first`, … A scenario without a bar is no missing measure. */
function nullMeasures(part: object, prefix = ''): readonly string[] {
  return Object.entries(part)
    .flatMap(([key, value]) => {
      if (value === null) return ['description', 'minPassRate'].includes(key) ? [] : [`${prefix}${key}`];
      return key === 'cost' || key === 'virtualMs' ? nullMeasures(value, `${key}.`) : [];
    })
    .sort();
}
