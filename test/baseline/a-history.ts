import { historyFile } from '../../src/baseline/history-file.ts';
import type { HistoryRun, HistoryScenario, KeptRun } from '../../src/types/reports/history.ts';

/** A scenario that passed 9 of 10 trials, unless told otherwise. */
export function aKeptScenario(given: Partial<HistoryScenario> = {}): HistoryScenario {
  return {
    name: 'refund',
    file: 'refund.toml',
    verdict: 'passed',
    seed: 0,
    sampler: 'seeded',
    digest: 'a'.repeat(64),
    trials: 10,
    passed: 9,
    broken: 0,
    passRate: 0.9,
    interval: [0.6, 0.98],
    tokens: 100,
    costPerSuccess: 111,
    ...given,
  };
}

/** A run of these scenarios on this day of January. */
export function aHistoryRun(
  day: number,
  scenarios: readonly HistoryScenario[],
  given: Partial<HistoryRun> = {},
): HistoryRun {
  return {
    startedAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
    durationMs: 12.5,
    passk: '1.0.0',
    seed: 0,
    verdict: 'pass',
    scenarios,
    ...given,
  };
}

export function kept(run: HistoryRun): KeptRun {
  return { id: historyFile(run).id, run };
}
