import type { ContractCell } from '../../types/reports/contract-report.ts';
import type { Severity } from '../../types/invariant.ts';

const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 3, high: 2, medium: 1, low: 1 };

/** What the score looks at of a cell. */
export interface ScoredCell extends Pick<ContractCell, 'state'> {
  readonly severity: Severity;
}

/**
 * 100 × the weights of passed cells over the weights of passed and failed cells; null: none was judged. Cells that do
 * not apply, proved nothing or could not be judged are outside both sums.
 */
export function scoreContract(cells: readonly ScoredCell[]): number | null {
  let passed = 0;
  let judged = 0;
  for (const { state, severity } of cells) {
    if (state !== 'passed' && state !== 'failed') continue;
    judged += WEIGHTS[severity];
    if (state === 'passed') passed += WEIGHTS[severity];
  }
  return judged === 0 ? null : (100 * passed) / judged;
}
