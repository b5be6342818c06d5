import type { Contract } from '../../types/contract.ts';
import type { ContractReport, OverallScore } from '../../types/reports/contract-report.ts';

/** A contract's result, and what its file says that its phase weighs. */
export interface ScoredContract {
  readonly report: Pick<ContractReport, 'phase' | 'score'>;
  readonly scoring: Contract['scoring'];
}

const PHASES = ['mutation', 'chaos', 'contract', 'replay'] as const;

/**
 * The scores of the phases that were scored, by their weights: Σ score × weight / Σ weight, from 0 to 1. Several contracts
 * of one phase count by their mean, in score and in weight.
 */
export function overallScore(contracts: readonly ScoredContract[], notRun: readonly string[]): OverallScore {
  const phases = PHASES.flatMap((phase) => {
    const scores: number[] = [];
    const weights: number[] = [];
    for (const { report, scoring } of contracts) {
      if (report.phase !== phase || report.score === null) continue;
      scores.push(report.score / 100);
      weights.push(scoring[phase]);
    }
    return scores.length === 0 ? [] : [{ phase, score: mean(scores), weight: mean(weights) }];
  });
  const total = phases.reduce((sum, { weight }) => sum + weight, 0);
  // Weights that are all 0 say nothing about which counts more.
  const shared = phases.map((one) => ({ ...one, share: total === 0 ? 1 / phases.length : one.weight / total }));
  const score = shared.length === 0 ? null : shared.reduce((sum, one) => sum + one.score * one.share, 0);
  return { score: score === null ? null : Math.min(1, score), phases: shared, notRun };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
