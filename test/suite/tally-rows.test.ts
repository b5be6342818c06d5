import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTally, encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { type FinishedRun, loadRun, runSuite, runWithRows } from '../../src/suite/run-suite.ts';
import { isSampled } from '../../src/types/reports/scenario-report.ts';
import { COUNTERS } from '../../src/types/trial.ts';
import { aRouter } from './scenarios.ts';

const CORPUS = new URL('../../corpus', import.meta.url).pathname;

/** What rows add up to, scenario by scenario. */
function summed({ scenarios, plan }: FinishedRun) {
  return scenarios.map(({ tally }, at) => {
    const rows = tally.rows?.list() ?? [];
    const of = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length;
    return {
      name: plan.scenarios[at]?.scenario.name,
      trials: rows.map(({ trial }) => trial),
      passed: of('passed'),
      failed: of('failed'),
      broken: of('broken'),
      counters: COUNTERS.map((_, counter) => rows.reduce((sum, row) => sum + (row.counters[counter] ?? 0), 0)),
    };
  });
}

describe('rows of trials', () => {
  test('say what the report says of the whole corpus, for any number of workers', async () => {
    const options = { paths: [CORPUS], trials: 8 };
    const inline = await runWithRows(await loadRun({ ...options, workers: 0 }), { atLeast: 8 });
    const sums = summed(inline);
    for (const [at, { tally }] of inline.scenarios.entries()) {
      if (tally.exact !== null) continue;
      const { passed, failed, broken, counters } = tally;
      const trials = Array.from({ length: tally.executed }, (_, trial) => trial);
      expect(sums[at]).toEqual({ name: sums[at]?.name, trials, passed, failed, broken, counters });
    }
    const pooled = await runWithRows(await loadRun({ ...options, workers: 2 }), { atLeast: 8 });
    const rows = (run: FinishedRun) => run.scenarios.map(({ tally }) => tally.rows?.list());
    expect(rows(pooled)).toEqual(rows(inline));
    // Keeping rows changes nothing else.
    const { timing: _, ...plain } = await runSuite({ ...options, workers: 0 });
    const { timing: __, ...kept } = inline.report;
    expect(kept).toEqual(plain);
  });

  test('hold what each attempt at a request cost', async () => {
    const { scenarios } = await runWithRows(await loadRun({ scenarios: [aRouter({ trials: 4 })], workers: 0 }), {
      atLeast: 8,
    });
    const { tally } = scenarios[0] ?? expect.fail('there is no scenario');
    const rows = tally.rows?.list() ?? [];
    for (const { verdict, ledger } of rows) {
      const completionTokens = verdict === 'passed' ? 2 : 3;
      const usage = { promptTokens: 10, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
      expect(ledger).toEqual([{ kind: 'model', name: 'default', attempt: 1, units: 1, usage, nanoUsd: null }]);
    }
    expect(rows.map(({ verdict }) => verdict).sort()).toEqual(expect.arrayContaining(['failed', 'passed']));
  });

  test('stand in the report as sums where it is asked for, and nothing else changes', async () => {
    const options = { scenarios: [aRouter({ trials: 8 })], workers: 0 };
    const [plain, told] = [await runSuite(options), await runSuite({ ...options, ledger: true })];
    const [scenario] = told.scenarios;
    if (scenario === undefined || !isSampled(scenario)) expect.fail('no trial was run');
    const { ledger, ...others } = scenario;
    expect(plain.scenarios).toEqual([others]);
    const { promptTokens, completionTokens } = scenario.cost.total;
    const usage = { promptTokens, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    expect(ledger).toEqual([{ kind: 'model', name: 'default', attempt: 1, units: 8, usage, nanoUsd: null, trials: 8 }]);
    await expect(runSuite({ ...options, ledger: true, dedupe: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^`ledger` and `dedupe` do not go together: .* has no row of its own\.$/),
      hint: 'Leave out --dedupe, or --ledger.',
    });
  });

  test('are refused for more trials than can be kept, and for trials that are not run one by one', async () => {
    const refused = async (options: object) =>
      runWithRows(await loadRun({ scenarios: [aRouter()], workers: 0, ...options }), { atLeast: 1 });
    await expect(refused({ trials: 1_000_001 })).rejects.toThrow(/more than the 1000000 of which a row can be kept/);
    await expect(refused({ dedupe: true })).rejects.toThrow(/has no row of its own/);
  });

  test('survive being encoded, and damaged bytes are told', async () => {
    const { scenarios } = await runWithRows(await loadRun({ scenarios: [aRouter()], workers: 0 }), { atLeast: 1 });
    for (const { tally } of scenarios) {
      const bytes = encodeTally(tally);
      expect(decodeTally(bytes, tally.shape).rows?.list()).toEqual(tally.rows?.list());
    }
    const { tally } = scenarios.at(-1) ?? expect.fail('there is no scenario');
    const bytes = encodeTally(tally);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ change;
        try {
          decodeTally(damaged, tally.shape);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INTEGRITY' });
        }
      }),
      { numRuns: 300 },
    );
  });
});
