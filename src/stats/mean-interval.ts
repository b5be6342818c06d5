import { assertNumbers } from './counts.ts';
import { meanOf, squaresAround } from './mean.ts';
import { studentQuantile } from './student-t.ts';

/** A mean over scenarios with its uncertainty. */
export interface MeanInterval {
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
  if (mean === null) return null;
  const df = values.length - 1;
  if (df === 0) return { mean, error: null, df, interval: null };
  const error = Math.sqrt(squaresAround(values, mean) / df / values.length);
  const half = studentQuantile(confidence, df) * error;
  return { mean, error, df, interval: [mean - half, mean + half] };
}
