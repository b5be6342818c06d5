import type { SuiteReport } from '../types/report.ts';
import { driftHeadline } from './drift-texts.ts';
import { GATE_MARKS, type GateText, gateTexts } from './gate-texts.ts';
import { plainText } from './plain-text.ts';
import { joinParts } from './wrap-text.ts';

const MOST_REASONS = 20;
const LONGEST_REASON = 600;

/** Each gate expression, and the drift: what is judged of the run as a whole. */
export function judgementTexts({ gate, drift }: SuiteReport): readonly GateText[] {
  const expressions = gateTexts(gate);
  if (drift === undefined) return expressions;
  const reasons = drift.reasons.slice(0, MOST_REASONS).map((reason) => plainText(reason, LONGEST_REASON));
  const more = drift.reasons.length - reasons.length;
  const texts = [joinParts(driftHeadline(drift)), ...reasons, ...(more > 0 ? [`… ${more} more`] : [])];
  return [...expressions, { ...GATE_MARKS[drift.verdict], text: 'drift', reasons: texts, tells: '' }];
}
