import { assertNumbers } from './counts.ts';
import { type MeanInterval, meanInterval } from './mean-interval.ts';
import { studentTail, studentTwoSided } from './student-t.ts';

/** A mean difference over scenarios, tested against none. */
export interface PairedT extends MeanInterval {
  /** mean / error; null for a single difference, or when all are equal. */
  readonly t: number | null;
  /** Two-sided; null where t is. */
  readonly p: number | null;
}

/**
 * Paired t-test over scenarios: one difference (candidate − baseline) for each, of pass rates, pass^k or cost.
 * Null without differences. Source: Student 1908; release-gate F-08.
 */
export function pairedT(differences: readonly number[], confidence = 0.95): PairedT | null {
  const result = meanInterval(differences, confidence);
  if (result === null) return null;
  const { mean, error, df } = result;
  if (error === null || error === 0) return { ...result, t: null, p: null };
  const t = mean / error;
  return { ...result, t, p: studentTwoSided(t, df) };
}

/** What the differences say about a loss larger than the margin. */
export interface NonInferiority {
  /** `worse`: surely below −margin; `holds`: surely not; `open`: the bounds hold −margin between them. */
  readonly verdict: 'holds' | 'worse' | 'open';
  /** Mean of the differences. */
  readonly mean: number;
  /** One-sided bounds, each at `confidence`; null for a single difference. */
  readonly lower: number | null;
  /** Upper bound of the mean; null: there are too few pairs. */
  readonly upper: number | null;
  /** One-sided p-value of "the loss is at least the margin"; small: it is not. */
  readonly p: number | null;
}

/**
 * Whether the mean difference stays above −margin, by one-sided t bounds. Differences that are all equal decide at once;
 * a single one never does. Null without differences. Source: Wellek 2010, Testing Statistical Hypotheses of Equivalence
 * and Noninferiority; release-gate F-09.
 */
export function nonInferiority(
  differences: readonly number[],
  margin: number,
  confidence = 0.95,
): NonInferiority | null {
  assertNumbers('margin', [margin], 0);
  if (!(confidence > 0.5 && confidence < 1)) {
    throw new RangeError(`A one-sided confidence of ${confidence} is impossible: give a number between 0.5 and 1.`);
  }
  const result = meanInterval(differences, 2 * confidence - 1);
  return result === null ? null : lossWithin(result, margin);
}

/** The same of a mean whose interval at 2·confidence − 1 is known already, such as one of a crossed design. */
export function lossWithin({ mean, error, df, interval }: MeanInterval, margin: number): NonInferiority {
  if (interval === null || error === null) return { verdict: 'open', mean, lower: null, upper: null, p: null };
  const [lower, upper] = interval;
  const p = error === 0 ? null : studentTail((mean + margin) / error, df);
  const verdict = upper < -margin ? 'worse' : lower >= -margin ? 'holds' : 'open';
  return { verdict, mean, lower, upper, p };
}
