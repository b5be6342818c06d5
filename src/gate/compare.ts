import type { GateOperator, GateVerdict } from '../types/reports/gate.ts';
import { compareToBar, type GateValue } from './gate-value.ts';

/** True when the comparison holds. Counts are compared without rounding. */
export function compare(value: GateValue, operator: GateOperator, bar: number): boolean {
  const order = compareToBar(value, bar);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '<':
      return order < 0;
    case '==':
      return order === 0;
  }
}

/** What a gate compares: a measured number, or the end of an interval that the gate names, with the other end. */
export interface Ends {
  readonly named: GateValue;
  /** Null: it is no end of an interval. */
  readonly other: GateValue | null;
}

/**
 * The verdict on one number: it passes when it meets the bar. The end of an interval that does not meet it fails only
 * where the other end does not either: else the truth may lie on both sides, and there are too few trials to tell.
 */
export function verdictOf({ named, other }: Ends, operator: GateOperator, bar: number): GateVerdict {
  if (compare(named, operator, bar)) return 'pass';
  if (other === null) return 'fail';
  if (compare(other, operator, bar)) return 'insufficient';
  return operator === '==' && isBetween([named, other], bar) ? 'insufficient' : 'fail';
}

/** The verdict on what lies between two numbers, as trials without a result turn out: insufficient when that decides. */
export function verdictOfRange(low: Ends, high: Ends, operator: GateOperator, bar: number): GateVerdict {
  const [atLow, atHigh] = [verdictOf(low, operator, bar), verdictOf(high, operator, bar)];
  if (atLow !== atHigh) return 'insufficient';
  // Both miss `==`: the bar may still lie between them.
  const misses = operator === '==' && atLow === 'fail';
  return misses && isBetween([low.named, low.other, high.named, high.other], bar) ? 'insufficient' : atLow;
}

/** What the comparison asks for, in words that continue "must be". */
export function barText(operator: GateOperator, bar: string): string {
  const words = { '>=': 'at least', '>': 'above', '<=': 'at most', '<': 'below', '==': 'exactly' };
  return `${words[operator]} ${bar}`;
}

function isBetween(values: readonly (GateValue | null)[], bar: number): boolean {
  const orders = values.flatMap((value) => (value === null ? [] : compareToBar(value, bar)));
  return orders.some((order) => order < 0) && orders.some((order) => order > 0);
}
