import { expect, test } from 'vitest';
import { compareRuns } from '../../src/baseline/compare-runs.ts';
import { forecast } from '../../src/baseline/forecast.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { renderReport } from '../../src/suite/render-report.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aBaselineScenario, aRun, range, type Verdicts } from '../baseline/a-baseline.ts';
import { aReport, aScenario } from './a-report.ts';
import { Compile } from 'typebox/compile';

const edited = { digest: 'b'.repeat(64) };

/** A report with one of each kind of drift, and a forecast of two rates and three ways to pay. */
function aDriftedReport(): SuiteReport {
  const named = (name: string, verdicts: Verdicts, changes = {}) =>
    aBaselineScenario({ trials: 64, ...verdicts }, { name, ...changes });
  const before = aRun([
    named('refund', {}),
    named('route', { failing: range(0, 20) }),
    named('wordy', {}),
    named('same', {}),
    named('odd', { failing: [1] }),
    named('left', {}),
  ]);
  const after = aRun([
    named('refund', { failing: range(0, 19) }, edited),
    named('route', { failing: [3] }, edited),
    named('wordy', { tokens: 150 }, edited),
    named('same', {}),
    named('odd', { failing: [2] }),
    named('found \u001b[31m', {}),
  ]);
  return aReport({
    drift: compareRuns(before, after),
    forecast: forecast([aScenario(), aScenario({ passed: 6, failed: 2, tokens: 140 }), aScenario({ tokens: 120 })], {
      runsPerDay: [1000, 50_000],
      prices: { input: 3, output: 15, cached: 0.3, batch: 2 },
    }),
  });
}

test('text shows regressions first, then what else drifted, with the forecast before it', () => {
  const text = renderReport(aDriftedReport(), { reporter: 'text' });
  const part = text.slice(text.indexOf('Forecast'), text.indexOf('✓ Gate'));
  expect(part).toMatchInlineSnapshot(`
    "Forecast at 141.1 tokens per success; more trials of these scenarios would show
    130.7 to 177.2 (95 %)
      1,000 successful runs/day · 141,091 tokens/day · 4,232,727 tokens/month
        15.84 USD/month (14.67 to 19.89)
        5.12 USD/month if all input is cached (4.74 to 6.43)
        8.47 USD/month if all is batched (7.84 to 10.63)
      50,000 successful runs/day · 7,054,545 tokens/day · 211,636,364 tokens/month
        792.00 USD/month (733.52 to 994.48)
        255.93 USD/month if all input is cached (237.03 to 321.36)
        423.27 USD/month if all is batched (392.02 to 531.49)

    Drift (evidence): 1 regression · 1 with more tokens · 1 improved · 3 unchanged ·
    1 new · 1 gone
    ✗ DOWN    refund  1.00 → 0.70 · 95 % of change −0.40 to −0.17 ·
              of 64 same trials, 19 lost and 0 gained · q 0.000011 ·
              scenario changed
    ✗ TOKENS  wordy  100 → 150 tokens per trial · +50.0 %
    ! other   odd  0.98 → 0.98 · of 64 same trials, 1 lost and 1 gained ·
              same program, same draws
    ✓ up      route  0.69 → 0.98 · 95 % of change +0.17 to +0.40 ·
              of 64 same trials, 0 lost and 19 gained · q 0.000011 ·
              scenario changed
    · new     found \\u{1b}[31m
    · gone    left
      ! 3 of 5 compared scenarios are not what they were when the baseline was made.
      ! The same program with the same draws gave other verdicts: odd.
      Mean change of the pass rate over 5 scenarios: 0.00; at 95 %, more trials of
      these scenarios would show −0.03 to +0.03, scenarios like these −0.59 to
      +0.59.
      Tokens per success: 107.0 → 117.7.
      Noise floor: these trials show a drop of 0.12 of one scenario, and of 0.05 of
      all of them, with a chance of 80 %.
      Where nothing has changed, at most 5 % of comparisons fail.

    "
  `);
  expect(Math.max(...text.split('\n').map((line) => displayWidth(line)))).toBeLessThanOrEqual(80);
});

test('markdown shows the same in code blocks', () => {
  const text = renderReport(aDriftedReport(), { reporter: 'markdown' });
  expect(text).toContain('### Drift\n\n```text\nDrift (evidence): 1 regression');
  expect(text).toContain('### Forecast\n\n```text\nForecast at 141');
});

test('quiet, drift is shown when it fails', () => {
  const report = aDriftedReport();
  const text = renderReport(report, { reporter: 'text', quiet: true });
  expect([text.includes('Drift (evidence)'), text.includes('Forecast')]).toEqual([true, false]);
});

test('the JSON report with drift and forecast keeps to its schema', () => {
  const json: unknown = JSON.parse(renderReport(aDriftedReport(), { reporter: 'json' }));
  expect([...Compile(reportSchema).Errors(json)]).toEqual([]);
});

test('a scenario that passes less or more often within chance is not called unchanged', () => {
  const named = (name: string, failing: readonly number[]) => aBaselineScenario({ trials: 8, failing }, { name });
  const edit = (name: string, failing: readonly number[]) =>
    aBaselineScenario({ trials: 8, failing }, { name, digest: 'b'.repeat(64) });
  const drift = compareRuns(
    aRun([named('fell', []), named('rose', [0, 1, 2]), named('same', [3])]),
    aRun([edit('fell', [0, 1, 2]), edit('rose', []), edit('same', [4])]),
  );
  expect(drift.scenarios.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  for (const reporter of ['text', 'markdown']) {
    const text = renderReport(aReport({ drift }), { reporter, columns: 120 });
    expect(text).toContain('0 regressions · 1 lower, within chance · 1 higher, within chance · 1 unchanged');
  }
});

test('a scenario with the same draws and fewer trials than before is unchanged where these trials are', () => {
  const before = aBaselineScenario({ trials: 16, failing: [12, 13, 14] }, { name: 'shorter' });
  const after = aBaselineScenario({ trials: 8, failing: [] }, { name: 'shorter' });
  const drift = compareRuns(aRun([before]), aRun([after]));
  expect(drift.scenarios[0]?.pairs).toEqual({ trials: 8, lost: 0, gained: 0 });
  expect(renderReport(aReport({ drift }), { reporter: 'text' })).toContain('0 regressions · 1 unchanged');
});
