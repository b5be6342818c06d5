import { assertNumbers, assertPairs, LARGEST, SMALLEST, tailOf } from './counts.ts';
import { meanOf, squaresAround } from './mean.ts';
import { normalQuantile } from './normal-quantile.ts';
import { studentQuantile } from './student-t.ts';

/**
 * Interval of (gained − lost) / pairs, the difference of two pass rates over the same trials; never of no width, also
 * where no pair disagrees. Null without pairs. Source: Bonett and Price 2012, J. Educ. Behav. Stat. 37, 479–488:
 * Wald's interval with one pair added to each kind of disagreement.
 */
export function pairedDifferenceInterval(
  lost: number,
  gained: number,
  pairs: number,
  confidence = 0.95,
): readonly [number, number] | null {
  assertPairs(pairs, lost, gained);
  if (pairs === 0) return null;
  const down = (lost + 1) / (pairs + 2);
  const up = (gained + 1) / (pairs + 2);
  const half = -normalQuantile(tailOf(confidence)) * Math.sqrt((down + up - (up - down) ** 2) / (pairs + 2));
  return [Math.max(-1, up - down - half), Math.min(1, up - down + half)];
}

/** A mean change of a rate over tasks, with an interval for tasks like these. */
export interface RateChange {
  /** Mean of the differences. */
  readonly mean: number;
  /** The middle of the interval: the mean with the added pair, which is nearer to 0. */
  readonly center: number;
  /** Standard error, never 0; null for a single task. */
  readonly error: number | null;
  /** count − 1. */
  readonly df: number;
  /** center ± t·error, within what the mean can be; null for a single task. */
  readonly interval: readonly [number, number] | null;
}

/** Differences that were seen, in sum. */
export interface SeenDifferences {
  readonly mean: number;
  /** Sum of squared distances from the mean. */
  readonly squares: number;
  readonly count: number;
}

/**
 * Mean of paired differences of rates, one of each task, from −`largest` to `largest`; null without differences. One task
 * that lost all and one that gained all are added: tasks that all changed alike do not show that no task changes otherwise,
 * so the interval always has a width, at most 2·`largest`·t/(count + 2) more than Student's. With differences of 1, 0 and −1
 * it is `pairedDifferenceInterval`, with Student's t in place of the normal quantile.
 * Sources: Bonett and Price 2012, J. Educ. Behav. Stat. 37, 479–488; Student 1908.
 */
export function rateChange(differences: readonly number[], confidence = 0.95, largest = 1): RateChange | null {
  if (!(largest >= SMALLEST && largest <= LARGEST)) {
    throw new RangeError(`A largest difference of ${largest} is impossible: give a number above 0, such as 1.`);
  }
  assertNumbers('value', differences);
  for (const difference of differences) {
    if (Math.abs(difference) <= largest) continue;
    throw new RangeError(
      `A difference of ${difference} is impossible: give numbers from ${-largest} to ${largest}, or a larger bound.`,
    );
  }
  const mean = meanOf(differences);
  if (mean === null) return null;
  return changeOfSeen(
    { mean, squares: squaresAround(differences, mean), count: differences.length },
    confidence,
    largest,
  );
}

/** The same of differences of which the sum of squares is known, such as those of rows and columns of a crossed design. */
export function changeOfSeen({ mean, squares, count }: SeenDifferences, confidence: number, largest = 1): RateChange {
  const df = count - 1;
  const center = (mean * count) / (count + 2);
  if (df === 0) return { mean, center, error: null, df, interval: null };
  const added = (largest - center) ** 2 + (largest + center) ** 2;
  const error = Math.sqrt(squares + count * (mean - center) ** 2 + added) / (count + 2);
  const half = studentQuantile(confidence, df) * error;
  return { mean, center, error, df, interval: [Math.max(-largest, center - half), Math.min(largest, center + half)] };
}
