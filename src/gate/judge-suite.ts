import type { Gate, GateJudgement } from '../types/gate.ts';
import { judgeGate } from './judge-gate.ts';
import { type BarsReport, minPassRateGate } from './min-pass-rate.ts';
import type { Judged } from './read-suite.ts';
import { worstVerdict } from './worst-verdict.ts';

export interface SuiteBars {
  /** The suite's floor in [0, 1]; null: none. */
  readonly minPassRate: number | null;
  readonly gates: readonly Gate[];
}

/** The verdict on a run with what each gate said. */
export interface SuiteVerdict extends BarsReport {
  /** In the order given. */
  readonly expressions: readonly GateJudgement[];
}

/**
 * The one place where verdicts are put together: every scenario's own bar, the suite's floor and every gate must pass;
 * fail before insufficient before pass. Reasons name what did not pass.
 */
export function judgeSuite(report: Judged, { minPassRate, gates }: SuiteBars): SuiteVerdict {
  const bars = minPassRateGate(report.scenarios, { minPassRate, partial: report.partial });
  const expressions = gates.map((gate) => judgeGate(gate, report));
  const reasons = expressions.flatMap(({ verdict, reason }) => (verdict === 'pass' ? [] : [reason]));
  return {
    ...bars,
    verdict: worstVerdict([bars.verdict, ...expressions.map(({ verdict }) => verdict)]),
    reasons: [...bars.reasons, ...reasons],
    expressions,
  };
}
