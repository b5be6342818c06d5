import { assertNumbers } from './counts.ts';
import { sumOf } from './mean.ts';
import { studentQuantile } from './student-t.ts';

/** What one scenario spent and how many of its trials passed. */
export interface Spending {
  /** What all its trials cost. */
  readonly cost: number;
  /** How many of them passed. */
  readonly passed: number;
}

/**
 * Interval of Σcost / Σpassed that stays true where passes are rare: all ratios ρ ≥ 0 for which the sum of
 * cost − ρ·passed over scenarios is within t errors of 0. An upper end of null is unbounded. Null for fewer than two
 * scenarios, or when nothing passed. Source: Fieller 1954, J. R. Stat. Soc. B 16, 175–185.
 */
export function fiellerInterval(
  spendings: readonly Spending[],
  confidence = 0.95,
): readonly [number, number | null] | null {
  assertSpendings(spendings);
  const groups = spendings.length;
  const passed = sumOf(spendings.map((spending) => spending.passed));
  if (groups < 2 || passed === 0) return null;
  const cost = sumOf(spendings.map((spending) => spending.cost));
  const t = studentQuantile(confidence, groups - 1);
  const scale = (t * t * groups) / (groups - 1);
  const moment = (pick: (spending: Spending) => number): number => scale * sumOf(spendings.map(pick));
  const a = passed ** 2 - moment((spending) => (spending.passed - passed / groups) ** 2);
  const b = cost * passed - moment((spending) => (spending.cost - cost / groups) * (spending.passed - passed / groups));
  const c = cost ** 2 - moment((spending) => (spending.cost - cost / groups) ** 2);
  // Where every pass costs the same, both products are equal, and rounding may put their difference below 0.
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  if (a <= 0) {
    // Everything but a gap, or all there is: what is left above the gap, when the ratio lies there.
    const low = c / (b + root);
    return [Number.isFinite(low) && low >= 0 && low <= cost / passed ? low : 0, null];
  }
  return [Math.max(0, (b - root) / a), (b + root) / a];
}

/** Throws unless costs and passes are numbers that can be squared and multiplied, none below 0. */
export function assertSpendings(spendings: readonly Spending[]): void {
  const numbersOf = (pick: (spending: Spending) => number): readonly number[] => spendings.map(pick);
  assertNumbers(
    'cost',
    numbersOf(({ cost }) => cost),
    0,
  );
  assertNumbers(
    'number of passes',
    numbersOf(({ passed }) => passed),
    0,
  );
}
