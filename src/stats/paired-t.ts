import { assertNumbers } from './counts.ts';
import { type MeanInterval, meanInterval } from './mean-interval.ts';
import { type RateChange, rateChange } from './paired-difference.ts';
import { signFlip } from './sign-flip.ts';
import { studentTail, studentTwoSided } from './student-t.ts';

/** A mean difference over scenarios, tested against none. */
export interface PairedT extends MeanInterval {
  /** Null for a single difference, or when all are equal: these say nothing of how much others would differ. */
  readonly interval: MeanInterval['interval'];
  /** mean / error; null where the interval is. */
  readonly t: number | null;
  /** Two-sided; null where t is. */
  readonly p: number | null;
}

/**
 * Paired t-test over scenarios: one difference (candidate − baseline) for each, such as of cost; `rateChange` is for rates.
 * Null without differences. Source: Student 1908; release-gate F-08.
 */
export function pairedT(differences: readonly number[], confidence = 0.95): PairedT | null {
  const result = meanInterval(differences, confidence);
  if (result === null) return null;
  const { mean, error, df } = result;
  if (error === null || error === 0) return { ...result, interval: null, t: null, p: null };
  const t = mean / error;
  return { ...result, t, p: studentTwoSided(t, df) };
}

/** Whether a mean difference is none. */
export interface TestedDifference {
  /** Two-sided. */
  readonly p: number;
  readonly test: 'sign_flip' | 'paired_t';
}

/** Differences up to which every pattern of signs is tried. */
const FEW = 20;

/**
 * Test of no difference that supposes no spread: by sign flips up to 20 differences, and where all are equal; beyond,
 * Student's. The smallest p of n differences is 2 / 2ⁿ, so that few of them are never sure, however alike. Null for fewer
 * than two. Sources: Fisher 1935, The Design of Experiments, 21; Student 1908.
 */
export function testDifference(differences: readonly number[], seed: number): TestedDifference | null {
  if (differences.length < 2) return null;
  const p = differences.length > FEW ? (pairedT(differences)?.p ?? null) : null;
  if (p !== null) return { p, test: 'paired_t' };
  const flipped = signFlip(differences, { seed });
  return flipped === null ? null : { p: flipped.p, test: 'sign_flip' };
}

/** How many differences of one sign have a p below the level; fewer never do. */
export function fewestSure(level: number): number {
  return Math.floor(1 - Math.log2(level)) + 1;
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
 * Whether the mean difference of rates stays above −margin, by one-sided bounds of `rateChange`. Few differences stay open,
 * however alike: those that are all 0 show a loss below the margin from about √2·t/margin of them on. Null without
 * differences. Sources: Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority; Bonett and Price
 * 2012; release-gate F-09.
 */
export function nonInferiority(
  differences: readonly number[],
  margin: number,
  confidence = 0.95,
  largest = 1,
): NonInferiority | null {
  assertNumbers('margin', [margin], 0);
  if (!(confidence > 0.5 && confidence < 1)) {
    throw new RangeError(`A one-sided confidence of ${confidence} is impossible: give a number between 0.5 and 1.`);
  }
  const change = rateChange(differences, 2 * confidence - 1, largest);
  return change === null ? null : lossWithin(change, margin);
}

/** The same of a change whose interval at 2·confidence − 1 is known already, such as one of a crossed design. */
export function lossWithin({ mean, center, error, df, interval }: RateChange, margin: number): NonInferiority {
  if (interval === null || error === null) return { verdict: 'open', mean, lower: null, upper: null, p: null };
  const [lower, upper] = interval;
  const p = studentTail((center + margin) / error, df);
  const verdict = upper < -margin ? 'worse' : lower >= -margin ? 'holds' : 'open';
  return { verdict, mean, lower, upper, p };
}
