import type { Gate, GateJudgement } from '../types/reports/gate.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { judgeOverall, judgeResults } from './judge-results.ts';
import { judgeGate } from './judge-gate.ts';
import { type BarsReport, minPassRateGate } from './min-pass-rate.ts';
import type { Judged } from './read-suite.ts';
import { worstVerdict } from './worst-verdict.ts';

export interface SuiteBars {
  /** The suite's floor in [0, 1]; null: none. */
  readonly minPassRate: number | null;
  readonly gates: readonly Gate[];
  /** In [0, 1]: the overall score that contracts must reach; null or absent: none. */
  readonly minScore?: number | null;
}

/** The verdict on a run with what each gate said. */
export interface SuiteVerdict extends BarsReport {
  /** In the order given. */
  readonly expressions: readonly GateJudgement[];
}

/** The parts of a report that are judged. */
export type JudgedSuite = Judged & Pick<SuiteReport, 'results' | 'overall'>;

/**
 * The one place where verdicts are put together: every scenario's own bar, the suite's floor, every result and every
 * gate must pass; fail before insufficient before pass. Reasons name what did not pass.
 */
export function judgeSuite(report: JudgedSuite, { minPassRate, gates, minScore = null }: SuiteBars): SuiteVerdict {
  const { scenarios, results, overall } = report;
  const bars = minPassRateGate(scenarios, { minPassRate });
  // A run may hold no scenario that stands for itself.
  const hasBars = scenarios.length > 0 || results.length === 0;
  const judged = [
    ...(hasBars ? [bars] : []),
    ...(results.length > 0 ? [judgeResults(results)] : []),
    ...(minScore === null ? [] : [judgeOverall(overall, minScore)]),
  ];
  const expressions = gates.map((gate) => judgeGate(gate, report));
  const reasons = expressions.flatMap(({ verdict, reason }) => (verdict === 'pass' ? [] : [reason]));
  return {
    ...bars,
    verdict: worstVerdict([...judged, ...expressions].map(({ verdict }) => verdict)),
    reasons: [...judged.flatMap((one) => one.reasons), ...reasons],
    expressions,
  };
}
