import type { Gate } from '../types/reports/gate.ts';
import type { GateMetric } from './gate-metrics.ts';

/** Why no run could ever pass this gate, as with a mistyped bar; null when some could. */
export function neverPasses(
  { operator, value, side }: Gate,
  { isRate }: GateMetric,
  written: string,
): { readonly message: string; readonly hint: string } | null {
  const most = isRate ? 1 : Number.POSITIVE_INFINITY;
  const range = isRate ? 'between 0 and 1' : '0 or more';
  const asPercent = value >= 2 && value <= 100 ? `${written}%` : '0.95 or 95%';
  const hint = isRate && value > 1 ? `Write ${asPercent} for a share.` : 'Give a bar that a run can meet.';
  if (value < 0 || value > most) return { message: `${written} is out of reach: the metric is ${range}.`, hint };
  const never = (operator === '<' && value === 0) || (operator === '>' && value === most);
  if (never) return { message: `No run passes ${operator} ${written}: the metric is ${range}.`, hint };
  if (side.kind === 'lower' && isRate && value === 1 && operator !== '<' && operator !== '<=') {
    return { message: 'No run passes this: a lower bound never reaches 1.', hint: 'Give a bar below 1.' };
  }
  return null;
}
