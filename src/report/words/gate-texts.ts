import type { GateExpression, GateResult } from '../../types/reports/gate.ts';
import type { GateReport } from '../../types/reports/report.ts';
import { plainText } from '../plain-text.ts';
import type { Role } from '../text/text-style.ts';

/** A gate expression as every reporter for people shows it. */
export interface GateText {
  readonly sign: '✓' | '✗' | '!';
  readonly word: 'pass' | 'FAIL' | 'open';
  readonly role: Role;
  /** As written. */
  readonly text: string;
  /** The number and the bar, and of many results the nearest to the bar. */
  readonly reasons: readonly string[];
  /** What it can tell with the planned trials; '' where that is unknown. */
  readonly tells: string;
}

const LONGEST_GATE = 300;
const LONGEST_REASON = 600;

/** The sign and word of a verdict. */
export const GATE_MARKS = {
  pass: { sign: '✓', word: 'pass', role: 'good' },
  fail: { sign: '✗', word: 'FAIL', role: 'bad' },
  insufficient: { sign: '!', word: 'open', role: 'warn' },
} as const;

/** The verdict of a run as a headline. */
export const GATE_TITLES = {
  pass: 'Gate passed',
  fail: 'Gate failed',
  insufficient: 'Gate undecided: not enough evidence',
} as const;

/** The gate expressions in their order. */
export function gateTexts({ expressions }: GateReport): readonly GateText[] {
  return expressions.map((expression) => {
    const { gate, verdict, reason, tells } = expression;
    const nearest = nearestResult(expression);
    const reasons = [reason, ...(nearest === null ? [] : [`Nearest to the bar: ${nearest.reason}`])];
    const shorten = (line: string): string => plainText(withoutGate(line, gate.text), LONGEST_REASON);
    return {
      ...GATE_MARKS[verdict],
      text: plainText(gate.text, LONGEST_GATE),
      reasons: reasons.map(shorten),
      tells: tells.map(shorten).join(' '),
    };
  });
}

/** The reasons of bars: those of the gate, without those of gate expressions. */
export function barReasons({ reasons, expressions }: GateReport): readonly string[] {
  const expressionReasons = new Set(expressions.map(({ reason }) => reason));
  return reasons.filter((reason) => !expressionReasons.has(reason));
}

/** Of several results that pass, the one that is nearest to the bar: its number is the gate's. */
function nearestResult({ verdict, results, gate }: GateExpression): GateResult | null {
  if (verdict !== 'pass' || results.length < 2) return null;
  const slack = ({ value }: GateResult): number =>
    value === null ? Number.POSITIVE_INFINITY : Math.abs(value - gate.value);
  return results.reduce((nearest, result) => (slack(result) < slack(nearest) ? result : nearest));
}

/** The sentence without the gate at its start, which stands beside it here. */
function withoutGate(sentence: string, gate: string): string {
  const start = `${gate}: `;
  if (!sentence.startsWith(start)) return sentence;
  const rest = sentence.slice(start.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
