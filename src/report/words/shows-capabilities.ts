import type { SuiteReport } from '../../types/reports/report.ts';
import { isJudged } from '../../types/reports/scenario-report.ts';

/** Whether coverage says anything: workflows show capabilities, and whoever claims one; of what did not run nobody knows. */
export function showsCapabilities({ scenarios }: SuiteReport): boolean {
  return (
    scenarios.length === 0 ||
    scenarios.some((one) => !isJudged(one) || one.nodes.length > 0 || one.capabilities.length > 0)
  );
}
