import type { MeanInterval } from '../../stats/mean-interval.ts';
import { sumOf } from '../../stats/mean.ts';
import { studentQuantile } from '../../stats/student-t.ts';
import { twoWayError } from '../../stats/two-way-error.ts';
import { withUnseenTasks } from '../../stats/wilson.ts';
import type { ClusteredRate, CrossedTasks } from '../../types/recording.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';

/** A task that stands in a crossed design, with what is averaged over tasks. */
export interface CrossedValue {
  readonly crossed: Crossing;
  readonly value: number;
  /** Trials that the value is the mean of; absent: the task counts as one. */
  readonly trials?: number;
}

/** A mean over crossed tasks; its interval is for rows and columns like these. */
export interface CrossedMean extends MeanInterval {
  readonly error: number;
  readonly interval: readonly [number, number];
  readonly design: CrossedTasks;
}

/**
 * Mean of a crossed design with t-interval: error by rows and by columns, each stratum compared with its own mean; see
 * `twoWayError`. Null where there are not two rows and two columns. Source: release-gate F-04.
 */
export function crossedMean(tasks: readonly CrossedValue[], confidence = 0.95): CrossedMean | null {
  const estimate = twoWayError(tasks.map(({ crossed, ...one }) => ({ ...one, ...crossed })));
  if (estimate === null) return null;
  const { mean, error, df, rows, columns, floored } = estimate;
  const strata = new Set(tasks.map(({ crossed }) => crossed.stratum)).size;
  const half = studentQuantile(confidence, df) * error;
  return { mean, error, df, interval: [mean - half, mean + half], design: { rows, columns, strata, floored } };
}

/**
 * The same of a rate, as wide at least as rows or columns allow that were not seen, whichever are fewer. `alone`: trials that
 * failed of which nobody knows what they are crossed of: they lower the rate, and are neither rows nor columns.
 */
export function crossedRate(tasks: readonly CrossedValue[], alone = 0): CrossedMean | null {
  const estimate = crossedMean(tasks);
  if (estimate === null) return null;
  const placed = sumOf(tasks.map(({ trials = 1 }) => trials));
  const share = placed / (placed + alone);
  const rate = Math.min(1, Math.max(0, estimate.mean)) * share;
  const [low, high] = estimate.interval;
  return {
    ...estimate,
    mean: alone === 0 ? estimate.mean : rate,
    error: estimate.error * share,
    interval: withUnseenTasks([low * share, high * share], { rate, tasks: estimate.df + 1 }),
  };
}

/** The rate of all trials with the error and interval of a crossed design. */
export function crossedTrials(rate: ClusteredRate, { error, interval }: CrossedMean): ClusteredRate {
  const { naiveError } = rate;
  const designEffect = naiveError === null || naiveError === 0 ? null : (error / naiveError) ** 2;
  return { ...rate, interval, error, designEffect };
}
