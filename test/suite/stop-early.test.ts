import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { renderReport, type RunSuiteOptions, runSuite, type SuiteReport } from '../../src/index.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { aLiveScenario, aRouter } from './scenarios.ts';
import { sampled } from '../support/sampled.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-stop-early-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytesOf(report: SuiteReport): string {
  return renderReport(report, { reporter: 'json', timing: false });
}

/** Half of the router's trials pass; these bars settle it at different blocks, or never early. */
const SCENARIOS = [
  aRouter({ name: 'hopeless', trials: 60_000, minPassRate: 0.9 }),
  aRouter({ name: 'easy', trials: 60_000, minPassRate: 0.2 }),
  aRouter({ name: 'close', trials: 60_000, minPassRate: 0.45 }),
  aRouter({ name: 'strict', trials: 30_000 }),
  aRouter({ name: 'small', trials: 50, minPassRate: 0.1 }),
];

const executedOf = ({ scenarios }: SuiteReport) =>
  Object.fromEntries(scenarios.map(({ name, trials }) => [name, trials.executed]));

describe('scenarios that stop early', () => {
  test('end at the same block with the same bytes, whoever runs them', async () => {
    const options: RunSuiteOptions = { scenarios: SCENARIOS, stopEarly: true, cwd: folder };
    const whole = await runSuite({ ...options, workers: 0 });
    expect(executedOf(whole)).toEqual({ hopeless: 12_288, easy: 24_576, close: 57_344, strict: 4096, small: 50 });
    expect(whole.partial).toBe(false);
    for (const workers of [1, 2, 3]) expect(bytesOf(await runSuite({ ...options, workers }))).toBe(bytesOf(whole));
    for (const count of [1, 3]) {
      const sources: ShardSource[] = [];
      for (let index = 1; index <= count; index++) {
        const { bytes } = await runShard({ ...options, workers: 0, shard: { index, count } });
        sources.unshift({ name: `${index}.shard`, bytes });
      }
      expect(bytesOf((await mergeShards(sources)).report)).toBe(bytesOf(whole));
    }
  });

  test('have the verdict of all their trials', async () => {
    const bar = fc.option(fc.constantFrom(0.2, 0.4, 0.5, 0.55, 0.9), { nil: undefined });
    const gate = fc.constantFrom('pass_rate >= 0.4', 'pass^2 >= 0.3', 'pass_rate.lower(0.9) >= 0.45', 'pass@2 < 0.5');
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          minPassRate: bar,
          floor: bar,
          gates: fc.array(gate, { maxLength: 2 }),
          seed: fc.nat(1000),
          trials: fc.integer({ min: 1, max: 20_000 }),
        }),
        async ({ minPassRate, floor, gates, seed, trials }) => {
          const scenario = aRouter({ trials, ...(minPassRate !== undefined && { minPassRate }) });
          const options: RunSuiteOptions = {
            scenarios: [scenario],
            workers: 0,
            seed,
            gates,
            cwd: folder,
            ...(floor !== undefined && { minPassRate: floor }),
          };
          const full = await runSuite(options);
          const early = await runSuite({ ...options, stopEarly: 'curtail' });
          const verdicts = ({ gate, scenarios }: SuiteReport) => [
            gate.verdict,
            gate.expressions.map(({ verdict }) => verdict),
            scenarios.map(({ verdict }) => verdict),
          ];
          expect(verdicts(early)).toEqual(verdicts(full));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('say so, with an interval that holds when a run is stopped', async () => {
    const report = await runSuite({
      scenarios: [aRouter({ trials: 30_000, minPassRate: 0.9 })],
      stopEarly: true,
      workers: 0,
      cwd: folder,
    });
    const [scenario] = report.scenarios;
    expect(scenario?.trials).toMatchObject({ requested: 30_000, executed: 8192 });
    expect(sampled(scenario).stopEarly).toEqual({
      rule: 'curtail',
      verdict: 'fail',
      reason: 'settled after 8,192 of 30,000 trials: no result of the others could change that it fails.',
    });
    expect(sampled(scenario).passRateInterval?.map((end) => end.toFixed(3))).toEqual(['0.495', '0.537']);
    expect(report.gate.reasons).toEqual([
      'router: pass rate 0.52 is below its bar 0.90. Settled after 8,192 of 30,000 trials.',
    ]);
    expect(report.notices.map(({ code }) => code)).toEqual(['stopped_early']);
  });

  test('run all their trials for gates that need them, which is told', async () => {
    const report = await runSuite({
      scenarios: [aRouter({ trials: 9000, minPassRate: 0.9 })],
      gates: ['broken == 0'],
      stopEarly: true,
      workers: 0,
      cwd: folder,
    });
    expect(report.scenarios[0]?.trials.executed).toBe(9000);
    expect(report.notices.map(({ message }) => message)).toEqual([
      '1 scenario ran all trials, because a gate needs them: broken == 0.',
    ]);
  });

  test('go on from a journal as if they had not been cut off', async () => {
    const options: RunSuiteOptions = { scenarios: SCENARIOS, stopEarly: true, workers: 0, cwd: folder };
    const whole = bytesOf(await runSuite(options));
    const journal = path.join(folder, 'cut');
    const stop = new AbortController();
    let seen = 0;
    await runSuite({
      ...options,
      journal,
      signal: stop.signal,
      onProgress: ({ kind }) => {
        if (kind === 'progress' && ++seen === 1) stop.abort();
      },
    });
    const resumed = await runSuite({ ...options, workers: 2, journal: { folder: journal, resume: true } });
    expect(bytesOf(resumed)).toBe(whole);
    await expect(
      runSuite({ ...options, stopEarly: 'sprt', journal: { folder: journal, resume: true } }),
    ).rejects.toMatchObject({ code: 'INPUT' });
  });

  test('save calls of what waits for the outside world', async () => {
    let calls = 0;
    const look = {
      labels: ['found'],
      reads: ['trigger.key'],
      // As slow as something outside: results come in while others are still asked for.
      run: async () => {
        calls++;
        await sleep(5);
        return { output: { found: 'B' }, branch: 'found' };
      },
    };
    const report = await runSuite({
      scenarios: [aLiveScenario({ trials: 500, minPassRate: 0.9 })],
      nodes: { look_up: look },
      stopEarly: true,
      workers: 1,
      concurrency: 2,
      cwd: folder,
    });
    expect(report.scenarios[0]?.trials).toMatchObject({ executed: 51, failed: 51 });
    expect(report.gate.verdict).toBe('fail');
    expect(calls).toBeLessThan(200);
  });

  test('are decided by a sequential test where one is asked for, which states its errors', async () => {
    const scenarios = [
      aRouter({ trials: 60_000, minPassRate: 0.4 }),
      aRouter({ name: 'bad', trials: 60_000, minPassRate: 0.8 }),
    ];
    const report = await runSuite({ scenarios, stopEarly: 'sprt', workers: 0, cwd: folder });
    expect(
      report.scenarios
        .map(sampled)
        .map(({ verdict, trials, stopEarly }) => [verdict, trials.executed, stopEarly?.reason]),
    ).toEqual([
      [
        'passed',
        4096,
        'settled after 4,096 of 60,000 trials by a sequential test: it passes, as a true pass rate of 0.20 does in at most 5.3 % of runs.',
      ],
      [
        'failed',
        4096,
        'settled after 4,096 of 60,000 trials by a sequential test: it fails, as a true pass rate of 0.90 does in at most 5.3 % of runs.',
      ],
    ]);
    expect(report.gate.verdict).toBe('fail');
  });

  test('refuse what they do not go together with', async () => {
    const refused = (options: RunSuiteOptions) =>
      runSuite({ scenarios: SCENARIOS, workers: 0, ...options }).then(
        () => 'ran',
        ({ message }: Error) => message,
      );
    expect(await refused({ stopEarly: true, bail: true })).toBe('`bail` and `stopEarly` do not go together.');
    expect(await refused({ stopEarly: 'soon' as 'sprt' })).toBe(
      '`stopEarly` must be true, "curtail" or "sprt", got "soon".',
    );
    expect(await refused({ stopEarly: { rule: 'sprt', falsePass: 0.9, falseFail: 0.2 } })).toBe(
      '`stopEarly` needs errors above 0 that sum up to less than 1.',
    );
  });
});
