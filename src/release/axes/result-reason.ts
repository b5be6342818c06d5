import type { AxisReason, EvalPart } from '../../types/release/eval-body.ts';
import { fail, insufficient } from './axis-result.ts';

/** Why a contract, a model or an enumeration does not pass; []: it does, or nothing of it was run. */
export function resultReason({ kind, name, verdict }: EvalPart): readonly AxisReason[] {
  if (verdict === 'passed' || verdict === 'skipped') return [];
  const message = `The ${kind} "${name}" has the verdict ${verdict}.`;
  return [verdict === 'failed' ? fail('RESULT', message) : insufficient('RESULT', message)];
}
