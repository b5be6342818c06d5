import { assertNumbers } from './counts.ts';
import { meanOf, squaresAround, sumOf } from './mean.ts';
import { studentQuantile } from './student-t.ts';

/** A mean over scenarios with its uncertainty. */
export interface MeanInterval {
  /** The mean. */
  readonly mean: number;
  /** sd / √count; null for a single value. */
  readonly error: number | null;
  /** count − 1. */
  readonly df: number;
  /** mean ± t·error; null for a single value. */
  readonly interval: readonly [number, number] | null;
}

/**
 * Mean of independent values, one for each scenario, with the t-interval; null without values. For a design with equally
 * many trials everywhere it is the clustered interval. Source: Student 1908; release-gate F-03 (b).
 */
export function meanInterval(values: readonly number[], confidence = 0.95): MeanInterval | null {
  assertNumbers('value', values);
  const mean = meanOf(values);
  return mean === null ? null : intervalAround(mean, squaresAround(values, mean), values.length, confidence);
}

/** The same of scenarios of which some have one value. */
export function meanOfAlike(
  alike: readonly { readonly value: number; readonly scenarios: number }[],
  confidence = 0.95,
): MeanInterval | null {
  const count = sumOf(alike.map(({ scenarios }) => scenarios));
  if (count === 0) return null;
  const mean = sumOf(alike.map(({ value, scenarios }) => value * scenarios)) / count;
  // The mean of equal values may differ from them by rounding, which is no spread.
  const isEven = alike.every(({ value }) => value === alike[0]?.value);
  if (isEven) return intervalAround(alike[0]?.value ?? mean, 0, count, confidence);
  const squares = sumOf(alike.map(({ value, scenarios }) => scenarios * (value - mean) ** 2));
  return intervalAround(mean, squares, count, confidence);
}

function intervalAround(mean: number, squares: number, count: number, confidence: number): MeanInterval {
  const df = count - 1;
  if (df === 0) return { mean, error: null, df, interval: null };
  const error = Math.sqrt(squares / df / count);
  const half = studentQuantile(confidence, df) * error;
  return { mean, error, df, interval: [mean - half, mean + half] };
}
