import { assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';
import { passHatK } from './pass-hat-k.ts';
import { studentQuantile } from './student-t.ts';
import type { SuccessHistogram } from './success-histogram.ts';
import { withUnseenTasks } from './wilson.ts';

/** pass^k of many tasks with its uncertainty, were other tasks like these drawn. */
export interface HistogramPassHatK {
  /** How many trials of a task must all pass. */
  readonly k: number;
  /** The chance of that. */
  readonly value: number;
  /** Standard error, clustered by task; null for a single task. */
  readonly error: number | null;
  /** Within [0, 1], and as wide at least as tasks allow that were not seen; null for a single task. */
  readonly interval: readonly [number, number] | null;
}

/**
 * pass^k of tasks by their successes: the mean over tasks, with SE = sd / √tasks and the t-interval of `meanInterval` of the
 * tasks one by one. As that of `clusteredInterval` it is at least as wide as few tasks leave unseen, so that a few that are
 * nearly alike are not sure. Null without tasks, or when k exceeds the trials. Source: Miller 2024 (arXiv 2411.00640);
 * release-gate F-03 (b).
 */
export function histogramPassHatK(histogram: SuccessHistogram, k: number, confidence = 0.95): HistogramPassHatK | null {
  const trials = histogram.length - 1;
  for (const tasks of histogram) assertWhole('number of tasks', tasks, 0, 1e12);
  const tasks = sumOf(histogram);
  if (tasks === 0) return null;
  const groups = histogram.flatMap((count, passed) => {
    const value = passHatK(trials, passed, k);
    return value === null || count === 0 ? [] : [{ count, value }];
  });
  const [first] = groups;
  if (first === undefined) return null;
  // The mean of equal values may differ from them by rounding, which is no spread.
  const isEven = groups.every((group) => group.value === first.value);
  const value = isEven ? first.value : sumOf(groups.map((group) => group.count * group.value)) / tasks;
  if (tasks === 1) return { k, value, error: null, interval: null };
  const squares = isEven ? 0 : sumOf(groups.map((group) => group.count * (group.value - value) ** 2));
  const error = Math.sqrt(squares / (tasks - 1) / tasks);
  const half = studentQuantile(confidence, tasks - 1) * error;
  return {
    k,
    value,
    error,
    interval: withUnseenTasks([value - half, value + half], { rate: value, tasks, confidence }),
  };
}
