import type { Baseline } from '../types/baseline.ts';
import type { HistoryRun } from '../types/history.ts';
import type { SuiteReport } from '../types/report.ts';

/** A report as a history keeps it; what was run is known by the digests of the run's baseline. */
export function makeHistoryRun(report: SuiteReport, baseline: Baseline): HistoryRun {
  // Both are in plan order, but a file that did not load is in the report only; what is exact has no trials to keep.
  const sampled = report.scenarios.filter((one) => one.verdict === 'load_error' || one.sampler !== 'exhaustive');
  let next = 0;
  return {
    startedAt: report.timing.startedAt,
    durationMs: report.timing.durationMs,
    passk: report.passk,
    seed: report.seed,
    verdict: report.gate.verdict,
    scenarios: sampled.map(({ name, file, verdict, seed, sampler, trials, ...more }) => ({
      name,
      file,
      verdict,
      seed,
      sampler,
      digest: verdict === 'load_error' ? null : (baseline.scenarios[next++]?.digest ?? null),
      trials: trials.passed + trials.failed + trials.broken,
      passed: trials.passed,
      broken: trials.broken,
      passRate: 'passRate' in more ? more.passRate : null,
      interval: 'passRateInterval' in more ? more.passRateInterval : null,
      tokens: 'cost' in more ? more.cost.mean.llmTokens : null,
      costPerSuccess: 'cost' in more ? more.cost.perSuccess : null,
    })),
  };
}
