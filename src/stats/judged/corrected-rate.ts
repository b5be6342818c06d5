import { assertCounts, tailOf } from '../counts.ts';
import { normalQuantile } from '../normal-quantile.ts';
import type { Run } from '../two-proportions.ts';

/** How often a judge agreed with people, on items that people labelled. */
export interface Agreed {
  /** Labelled items. */
  readonly items: number;
  /** Those on which the judge agrees. */
  readonly agreed: number;
}

/** What a judge said, and how often it is right. */
export interface JudgedRun {
  /** Items without labels; `passed` by the judge. */
  readonly judged: Run;
  /** Items that people passed: the judge's sensitivity. */
  readonly onPasses: Agreed;
  /** Items that people failed: its specificity. */
  readonly onFailures: Agreed;
}

/** The rate that people would have found. */
export interface CorrectedRate {
  /** The pass rate without the judge's errors. */
  readonly rate: number;
  /** Large-sample error, by the delta method. */
  readonly error: number;
  /** The small-sample interval of `rate`, within 0 and 1. */
  readonly interval: readonly [number, number];
}

/**
 * The pass rate that people would have found where a judge of known errors found another:
 * (judged + specificity − 1) / (sensitivity + specificity − 1), within 0 and 1. Null where the judge tells nothing
 * (sensitivity + specificity ≤ 1), or where any of the three has no items. Source: Rogan and Gladen 1978, Am. J.
 * Epidemiol. 107, 71–76; interval: Lee and others 2025, arXiv 2511.21140, which knows how few labels there are.
 */
export function correctedRate(run: JudgedRun, confidence = 0.95): CorrectedRate | null {
  const { judged, onPasses, onFailures } = run;
  assertCounts(judged.trials, judged.passed);
  for (const { items, agreed } of [onPasses, onFailures]) assertCounts(items, agreed);
  const z = -normalQuantile(tailOf(confidence));
  if (judged.trials === 0 || onPasses.items === 0 || onFailures.items === 0) return null;
  const observed = estimate({
    judged: shrunk(judged.passed, judged.trials, 0),
    onPasses: shrunk(onPasses.agreed, onPasses.items, 0),
    onFailures: shrunk(onFailures.agreed, onFailures.items, 0),
  });
  const adjusted = estimate({
    judged: shrunk(judged.passed, judged.trials, z * z),
    onPasses: shrunk(onPasses.agreed, onPasses.items, 2),
    onFailures: shrunk(onFailures.agreed, onFailures.items, 2),
  });
  if (observed === null || adjusted === null) return null;
  const { rate, error } = observed;
  const centre = adjusted.rate + 2 * z * z * adjusted.skew;
  const low = centre - z * adjusted.error;
  const high = centre + z * adjusted.error;
  // Labels are few where the centre lies far from the rate: an interval that leaves its own rate outside says nothing.
  return { rate, error, interval: [Math.min(rate, clipped(low)), Math.max(rate, clipped(high))] };
}

interface Share {
  readonly share: number;
  readonly items: number;
}

/** A share as if so many more items were there, half of them passed. */
function shrunk(passed: number, items: number, more: number): Share {
  return { share: (passed + more / 2) / (items + more), items: items + more };
}

interface Estimate {
  readonly rate: number;
  readonly error: number;
  /** How the errors of the two accuracies pull the rate away from where it is. */
  readonly skew: number;
}

function estimate({
  judged,
  onPasses,
  onFailures,
}: {
  readonly judged: Share;
  readonly onPasses: Share;
  readonly onFailures: Share;
}): Estimate | null {
  const informedness = onPasses.share + onFailures.share - 1;
  if (informedness <= LEAST_TOLD) return null;
  const rate = clipped((judged.share + onFailures.share - 1) / informedness);
  const passes = spreadOf(onPasses);
  const failures = spreadOf(onFailures);
  const variance = spreadOf(judged) + (1 - rate) ** 2 * failures + rate ** 2 * passes;
  return { rate, error: Math.sqrt(variance) / informedness, skew: rate * passes - (1 - rate) * failures };
}

/** Of a judge that tells less, rounding alone would decide. */
const LEAST_TOLD = 1e-12;

function spreadOf({ share, items }: Share): number {
  return (share * (1 - share)) / items;
}

function clipped(rate: number): number {
  return Math.min(1, Math.max(0, rate));
}
