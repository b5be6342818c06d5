import { assertWhole } from './counts.ts';
import { sumOf } from './mean.ts';
import { passHatK } from './pass-hat-k.ts';
import { studentQuantile } from './student-t.ts';
import type { SuccessHistogram } from './success-histogram.ts';
import { wilsonOfRate } from './wilson.ts';

/** pass^k of many tasks with its uncertainty, were other tasks like these drawn. */
export interface HistogramPassHatK {
  /** How many trials of a task must all pass. */
  readonly k: number;
  /** The chance of that. */
  readonly value: number;
  /** Standard error, clustered by task; null for a single task. */
  readonly error: number | null;
  /** Within [0, 1]; null for a single task. */
  readonly interval: readonly [number, number] | null;
}

/**
 * pass^k of tasks by their successes: the mean over tasks, with SE = sd / √tasks and the t-interval, cut to [0, 1]; where
 * all tasks agree, Wilson's interval with each task as one trial. Null without tasks, or when k exceeds the trials. The
 * same as `meanInterval` of the tasks one by one. Source: Miller 2024 (arXiv 2411.00640); release-gate F-03 (b).
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
  const value = sumOf(groups.map((group) => group.count * group.value)) / tasks;
  if (tasks === 1) return { k, value, error: null, interval: null };
  if (groups.every((group) => group.value === first.value)) {
    return { k, value: first.value, error: 0, interval: wilsonOfRate(first.value, tasks, confidence) };
  }
  const squares = sumOf(groups.map((group) => group.count * (group.value - value) ** 2));
  const error = Math.sqrt(squares / (tasks - 1) / tasks);
  const half = studentQuantile(confidence, tasks - 1) * error;
  return { k, value, error, interval: [Math.max(0, value - half), Math.min(1, value + half)] };
}
