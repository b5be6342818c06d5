import type { Baseline } from '../../types/baseline.ts';
import type { HistoryRun } from '../../types/reports/history.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { failuresOf, ratedTrials, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { scenarioKey } from '../../values/scenario-key.ts';

export interface HistoryInput {
  readonly report: SuiteReport;
  /** Cells of matrices, which the report does not hold as scenarios. */
  readonly cells: readonly ScenarioReport[];
  readonly baseline: Baseline;
}

/** A report as a history keeps it; what was run is known by the digests of the run's baseline. */
export function makeHistoryRun({ report, cells, baseline }: HistoryInput): HistoryRun {
  // What is exact has no trials to keep.
  const sampled = [...report.scenarios, ...cells].filter(
    (one) => one.verdict === 'load_error' || one.sampler !== 'exhaustive',
  );
  const digests = new Map(baseline.scenarios.map((one) => [scenarioKey(one), one.digest]));
  return {
    startedAt: report.timing.startedAt,
    durationMs: report.timing.durationMs,
    passk: report.passk,
    seed: report.seed,
    verdict: report.gate.verdict,
    scenarios: sampled.map((scenario) => {
      const { name, file, verdict, seed, sampler, trials, ...more } = scenario;
      const { ran, broken } = ratedTrials(scenario);
      const spoilt = trials.broken - broken;
      const failedFirst = failuresOf(scenario).flatMap((one) => (one.verdict === 'failed' ? [one.trial] : []));
      return {
        name,
        file,
        verdict,
        seed,
        sampler,
        // A file that did not load is in the report only.
        digest: verdict === 'load_error' ? null : (digests.get(scenarioKey({ name, file })) ?? null),
        trials: ran,
        passed: trials.passed,
        broken,
        ...(spoilt > 0 && { spoilt }),
        ...(failedFirst.length > 0 && { failedFirst }),
        passRate: 'passRate' in more ? more.passRate : null,
        interval: 'passRateInterval' in more ? more.passRateInterval : null,
        tokens: 'cost' in more ? more.cost.mean.llmTokens : null,
        costPerSuccess: 'cost' in more ? more.cost.perSuccess : null,
      };
    }),
    ...(report.generated !== undefined && {
      generated: report.generated.map(({ name, file, hash }) => ({ name, file, hash })),
    }),
  };
}
