import type { GoldenReport } from '../../types/golden/golden-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { driftHeadline } from './drift-texts.ts';
import { plural } from '../../text/format-number.ts';
import { GATE_MARKS, type GateText, gateTexts } from './gate-texts.ts';
import { plainText } from '../plain-text.ts';
import { joinParts } from '../text/wrap-text.ts';

const MOST_REASONS = 20;
const LONGEST_REASON = 600;

/** Each gate expression, the golden set, and the drift: what is judged of the run as a whole. */
export function judgementTexts({ gate, drift, golden }: SuiteReport): readonly GateText[] {
  const expressions = [...gateTexts(gate), ...(golden === undefined ? [] : [goldenText(golden)])];
  if (drift === undefined) return expressions;
  const reasons = drift.reasons.slice(0, MOST_REASONS).map((reason) => plainText(reason, LONGEST_REASON));
  const more = drift.reasons.length - reasons.length;
  const texts = [joinParts(driftHeadline(drift)), ...reasons, ...(more > 0 ? [`… ${more} more`] : [])];
  return [...expressions, { ...GATE_MARKS[drift.verdict], text: 'drift', reasons: texts, tells: '' }];
}

function goldenText({ verdict, reasons, paired, set }: GoldenReport): GateText {
  const compared = `${paired} of ${plural(set.tasks, 'task')} of ${plainText(set.file)} compared`;
  const texts = reasons.slice(0, MOST_REASONS).map((reason) => plainText(reason, LONGEST_REASON));
  return { ...GATE_MARKS[verdict], text: 'golden set', reasons: [...texts, compared], tells: '' };
}
