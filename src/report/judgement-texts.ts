import type { SuiteReport } from '../types/report.ts';
import { driftHeadline } from './drift-texts.ts';
import { GATE_MARKS, type GateText, gateTexts } from './gate-texts.ts';
import { plainText } from './plain-text.ts';
import { joinParts } from './wrap-text.ts';

const MOST_REASONS = 20;
const LONGEST_REASON = 600;

/** What was judged besides scenarios and contracts, as tools list it: each gate expression, and the drift. */
export function judgementTexts({ gate, drift }: SuiteReport): readonly GateText[] {
  const expressions = gateTexts(gate);
  if (drift === undefined) return expressions;
  const reasons = drift.reasons.slice(0, MOST_REASONS).map((reason) => plainText(reason, LONGEST_REASON));
  const more = drift.reasons.length - reasons.length;
  const found = [joinParts(driftHeadline(drift)), ...reasons, ...(more > 0 ? [`… ${more} more`] : [])];
  return [...expressions, { ...GATE_MARKS[drift.verdict], text: 'drift', found, tells: '' }];
}
