import type { ProgramInfo } from '../../trial/program-info.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';

/** The counts of all trials of one scenario. */
export interface ScenarioCounts {
  readonly info: ProgramInfo;
  readonly tally: Tally;
}

/** Trials that failed each check, most frequent first; equally frequent checks keep their order in the scenario. */
export function countChecks({ info, tally }: ScenarioCounts): SampledScenario['checks'] {
  if (tally.failed === 0) return [];
  const found: { readonly check: string; readonly failed: number }[] = [];
  for (let i = 0; i < info.checks.length; i++) {
    const failed = tally.checkFailures[i] ?? 0;
    if (failed > 0) found.push({ check: info.checks[i] as string, failed });
  }
  return found.sort((a, b) => b.failed - a.failed);
}
