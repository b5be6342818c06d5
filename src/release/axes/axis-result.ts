import { worstVerdict } from '../../gate/worst-verdict.ts';
import type { GateVerdict } from '../../types/reports/gate.ts';
import type { AxisReason, AxisResult } from '../../types/release/eval-body.ts';

export function pass(code: string, message: string): AxisReason {
  return { code, verdict: 'pass', message };
}

export function fail(code: string, message: string): AxisReason {
  return { code, verdict: 'fail', message };
}

export function insufficient(code: string, message: string): AxisReason {
  return { code, verdict: 'insufficient', message };
}

/** The worst verdict of an axis. Without any evidence the axis does not pass. */
export function axisResult(
  reasons: readonly AxisReason[],
  { evidence, tells = [], isAdvisory = false }: Pick<AxisResult, 'evidence'> & Partial<AxisResult>,
): AxisResult {
  const verdict: GateVerdict = worstVerdict(reasons.map((reason) => reason.verdict));
  return { verdict, isAdvisory, reasons, evidence, tells };
}
