import { describe, expect, test } from 'vitest';
import '../../src/vitest/index.ts';
import { renderReport, runSuite } from '../../src/index.ts';
import { aRouter } from './scenarios.ts';
import { judged } from '../support/sampled.ts';

const FORMATS = ['text', 'markdown', 'junit', 'tap', 'github', 'json', 'ndjson', 'html', 'reference-json'] as const;

/** Half of the answers pass; the bar is 0.3, the floor 0.9. */
const belowFloor = () => runSuite({ scenarios: [aRouter({ minPassRate: 0.3 })], minPassRate: 0.9, workers: 0 });

describe("a scenario below the suite's floor has failed", () => {
  test('in its verdict, the summary and the matcher', async () => {
    const report = await belowFloor();
    const [scenario] = report.scenarios;
    expect([scenario?.verdict, judged(scenario).belowFloor, judged(scenario).minPassRate]).toEqual([
      'failed',
      0.9,
      0.3,
    ]);
    expect([report.summary.passed, report.summary.failed, report.gate.verdict]).toEqual([0, 1, 'fail']);
    expect(scenario).not.toPass();
    expect(judged(scenario).at).toBe(undefined);
  });

  test('in every format that says of a scenario how it fared', async () => {
    const report = await belowFloor();
    const shown = new Map(FORMATS.map((reporter) => [reporter, renderReport(report, { reporter })]));
    expect(shown.get('text')).toMatch(/^✗ FAIL {3}router/m);
    expect(shown.get('text')).toContain("below the suite's floor 0.90; its own bar is 0.30");
    expect(shown.get('text')).toContain('0 passed · 1 failed');
    expect(shown.get('text')).toContain('traceTrial(');
    expect(shown.get('text')).not.toContain('tolerated');
    expect(shown.get('markdown')).toContain('0 of 1 scenario passed');
    expect(shown.get('junit')).toContain('<failure');
    expect(shown.get('tap')).toContain('not ok 1 - router');
    expect(shown.get('github')).toContain('0 of 1 scenario passed');
    expect(shown.get('github')).toContain('::error');
    expect(shown.get('ndjson')).toContain('"verdict":"failed"');
    for (const [format, text] of shown) {
      if (format !== 'reference-json' && format !== 'html')
        expect([format, text.includes('1 of 1 scenario passed')]).toEqual([format, false]);
    }
  });

  test("but not in the reference's own format, which holds a scenario to its own bar", async () => {
    const { summary, scenarios } = JSON.parse(renderReport(await belowFloor(), { reporter: 'reference-json' }));
    expect([summary.passed, summary.failed, scenarios[0].passed]).toEqual([1, 0, true]);
  });

  test('also where its answers are enumerated, or it stops early', async () => {
    const exact = await runSuite({
      scenarios: [aRouter({ minPassRate: 0.3, sampler: 'exhaustive' })],
      minPassRate: 0.9,
      workers: 0,
    });
    expect([exact.scenarios[0]?.verdict, judged(exact.scenarios[0]).belowFloor]).toEqual(['failed', 0.9]);
    const stopped = await runSuite({
      scenarios: [aRouter({ minPassRate: 0.3, trials: 20_000 })],
      minPassRate: 0.9,
      stopEarly: true,
      workers: 0,
    });
    expect([stopped.scenarios[0]?.verdict, judged(stopped.scenarios[0]).belowFloor]).toEqual(['failed', 0.9]);
  });

  test('and a floor below its bar, or that it reaches, changes nothing', async () => {
    const report = await runSuite({ scenarios: [aRouter({ minPassRate: 0.3 })], minPassRate: 0.2, workers: 0 });
    expect([report.scenarios[0]?.verdict, judged(report.scenarios[0]).belowFloor]).toEqual(['passed', undefined]);
  });
});

describe('a dead end is called so', () => {
  test.each(['text', 'markdown', 'junit', 'tap', 'github', 'json', 'ndjson', 'html'] as const)(
    'in %s',
    async (reporter) => {
      const report = await runSuite({ scenarios: [aRouter()], workers: 0 });
      expect(renderReport(report, { reporter })).toContain('dead_end');
    },
  );

  test('at the node where no edge led on', async () => {
    const report = await runSuite({ scenarios: [aRouter()], workers: 0 });
    expect(judged(report.scenarios[0]).failures[0]).toMatchObject({ status: 'completed', stoppedBy: 'dead_end' });
    expect(renderReport(report)).toContain('ended   completed, dead_end at route: no edge answers its branch');
  });

  test('and counted where the scenario passes all the same', async () => {
    const report = await runSuite({ scenarios: [aRouter({ expected: { status: 'completed' } })], workers: 0 });
    expect(report.gate.verdict).toBe('pass');
    expect(renderReport(report)).toMatch(/\d+ ended in a dead end/);
  });
});
