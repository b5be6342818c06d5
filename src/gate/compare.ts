import type { GateOperator, GateVerdict } from '../types/gate.ts';
import { RATE_SLACK } from './meets-bar.ts';

/** True when the comparison holds; values that differ from the bar by rounding alone are equal to it. */
export function compare(value: number, operator: GateOperator, bar: number): boolean {
  const slack = RATE_SLACK * Math.max(1, Math.abs(bar));
  const equal = Math.abs(value - bar) <= slack;
  switch (operator) {
    case '>=':
      return value > bar || equal;
    case '>':
      return value > bar && !equal;
    case '<=':
      return value < bar || equal;
    case '<':
      return value < bar && !equal;
    case '==':
      return equal;
  }
}

/** The verdict on a value known to lie between `low` and `high`: insufficient when that does not decide. */
export function compareRange(low: number, high: number, operator: GateOperator, bar: number): GateVerdict {
  const ends = [compare(low, operator, bar), compare(high, operator, bar)];
  if (ends.every((holds) => holds)) return 'pass';
  if (ends.some((holds) => holds)) return 'insufficient';
  // Both ends miss `==`: the bar may still lie between them.
  return operator === '==' && low < bar && bar < high ? 'insufficient' : 'fail';
}

/** What the comparison asks for, in words that continue "must be". */
export function barText(operator: GateOperator, bar: string): string {
  const words = { '>=': 'at least', '>': 'above', '<=': 'at most', '<': 'below', '==': 'exactly' };
  return `${words[operator]} ${bar}`;
}
