import { assertCounts, assertRate, tailOf } from '../counts.ts';
import { sumOf } from '../mean.ts';
import { normalQuantile } from '../normal-quantile.ts';
import type { Run } from '../two-proportions.ts';

/** Items that people and a judge have both judged. */
export interface LabelledItems {
  /** Passed by people and judge. */
  readonly bothPassed: number;
  /** Passed by people alone. */
  readonly onlyHumanPassed: number;
  /** Passed by the judge alone. */
  readonly onlyJudgePassed: number;
  /** Failed by both. */
  readonly bothFailed: number;
}

/** A pass rate from many items that a judge labelled, and few that people did. */
export interface PredictionPowered {
  /** The pass rate. */
  readonly rate: number;
  /** Standard error of the rate. */
  readonly error: number;
  /** rate ± z·error, within 0 and 1. */
  readonly interval: readonly [number, number];
  /** How much the judge counts: 0 not at all, 1 fully. */
  readonly weight: number;
}

/**
 * The pass rate that people would find, from few labelled items and many that only a judge has seen: people's rate, and
 * the weight times what the judge finds more often in the many. The weight with the least error when none is given
 * (PPI++), 1 for plain PPI. Null with fewer than two labelled items, or none unlabelled. For hundreds of labels; with
 * few, `correctedRate` knows better how few. Source: Angelopoulos and others 2023, Science 382, 669–674; PPI++:
 * Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453.
 */
export function predictionPoweredRate(
  labelled: LabelledItems,
  unlabelled: Run,
  { confidence = 0.95, weight: fixedWeight }: { readonly confidence?: number; readonly weight?: number } = {},
): PredictionPowered | null {
  const { bothPassed, onlyHumanPassed, onlyJudgePassed, bothFailed } = labelled;
  for (const count of [bothPassed, onlyHumanPassed, onlyJudgePassed, bothFailed]) assertCounts(count, 0);
  assertCounts(unlabelled.trials, unlabelled.passed);
  if (fixedWeight !== undefined) assertRate(fixedWeight);
  const z = -normalQuantile(tailOf(confidence));
  const items = sumOf([bothPassed, onlyHumanPassed, onlyJudgePassed, bothFailed]);
  assertCounts(items, 0);
  if (items < 2 || unlabelled.trials === 0) return null;
  const human = (bothPassed + onlyHumanPassed) / items;
  const judge = (bothPassed + onlyJudgePassed) / items;
  const judgeOfMany = unlabelled.passed / unlabelled.trials;
  const spread = judge * (1 - judge);
  const shared = bothPassed / items - human * judge;
  const weight = fixedWeight ?? bestWeight(shared, spread, items / unlabelled.trials);
  const rate = Math.min(1, Math.max(0, human + weight * (judgeOfMany - judge)));
  const rest = Math.max(0, human * (1 - human) + weight ** 2 * spread - 2 * weight * shared);
  const error = Math.sqrt(rest / (items - 1) + (weight ** 2 * judgeOfMany * (1 - judgeOfMany)) / unlabelled.trials);
  return { rate, error, weight, interval: [Math.max(0, rate - z * error), Math.min(1, rate + z * error)] };
}

function bestWeight(shared: number, spread: number, ratio: number): number {
  return spread === 0 ? 0 : Math.min(1, Math.max(0, shared / (spread * (1 + ratio))));
}
