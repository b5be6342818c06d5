import { meanOf } from '../../stats/mean.ts';
import { changeOfSeen, type RateChange, rateChange } from '../../stats/paired-difference.ts';
import { lossWithin, type NonInferiority, nonInferiority, pairedT, testDifference } from '../../stats/paired-t.ts';
import { studentTwoSided } from '../../stats/student-t.ts';
import type { ComparedMean, ComparedPairs } from '../../types/reports/comparison.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';
import { crossedMean } from './crossed-tasks.ts';

/** Whether a loss stays within a margin, at a one-sided confidence; null: there is no task. */
export type LossWithin = (margin: number, confidence: number) => NonInferiority['verdict'] | null;

/** A task that both sides tried, and what each says of it. */
interface Pair<Side> {
  readonly baseline: Side;
  readonly candidate: Side;
  /** What it is crossed of; null: it stands for itself. */
  readonly crossed: Crossing | null;
}

interface Testing {
  readonly seed: number;
  /** The pairs whose test decides; null: there is none. */
  readonly pairs: ComparedPairs | null;
}

/** Candidate − baseline of a cost of each task, tested by what fits these tasks; null: there is none. */
export function meanDifference<Side>(
  paired: readonly Pair<Side>[],
  value: (one: Side) => number,
  seed: number,
): ComparedMean | null {
  const { means, differences } = meansOf(paired, value);
  const crossed = crossedDifference(paired, differences);
  if (crossed !== null && crossed.error > 0) {
    return { ...means, interval: crossed.interval, ...twoWayTest(crossed.mean / crossed.error, crossed.df) };
  }
  const mean = pairedT(differences);
  if (mean === null) return null;
  if (crossed !== null) return { ...means, interval: null, p: null, test: null };
  return { ...means, interval: mean.interval, ...(testDifference(differences, seed) ?? UNTESTED) };
}

/** The same of a rate of each task, whose interval is never of no width. */
export function rateDifference<Side>(
  paired: readonly Pair<Side>[],
  rate: (one: Side) => number,
  { seed, pairs }: Testing,
): ComparedMean | null {
  const { means, differences } = meansOf(paired, rate);
  const crossed = crossedChange(paired, differences, 0.95);
  if (crossed !== null) {
    const { interval, center, error, df } = crossed;
    return { ...means, interval, ...(error === null ? UNTESTED : twoWayTest(center / error, df)) };
  }
  const change = rateChange(differences);
  if (change === null) return null;
  const { interval } = change;
  if (pairs !== null) return { ...means, interval, p: pairs.exact, test: 'mcnemar' };
  return { ...means, interval, ...(testDifference(differences, seed) ?? UNTESTED) };
}

/** Whether the tasks are crossed: each of them, and in two rows and two columns at least. */
export function areCrossed(paired: readonly Pair<unknown>[]): boolean {
  return (
    crossedDifference(
      paired,
      paired.map(() => 0),
    ) !== null
  );
}

/** Whether the loss stays within a margin, at a one-sided confidence. */
export function lossIn(paired: readonly Pair<unknown>[], differences: readonly number[]): LossWithin {
  return (margin, confidence) => {
    const crossed = crossedChange(paired, differences, 2 * confidence - 1);
    const loss = crossed === null ? nonInferiority(differences, margin, confidence) : lossWithin(crossed, margin);
    return loss?.verdict ?? null;
  };
}

const UNTESTED = { p: null, test: null };

function twoWayTest(t: number, df: number): Pick<ComparedMean, 'p' | 'test'> {
  return { p: studentTwoSided(t, df), test: 'two_way_t' };
}

function meansOf<Side>(paired: readonly Pair<Side>[], value: (one: Side) => number) {
  const [before, after] = [paired.map((one) => value(one.baseline)), paired.map((one) => value(one.candidate))];
  const differences = after.map((one, at) => one - (before[at] ?? 0));
  const means = {
    baseline: meanOf(before) ?? 0,
    candidate: meanOf(after) ?? 0,
    difference: meanOf(differences) ?? 0,
  };
  return { means, differences };
}

/** A mean over crossed tasks; null: not all are crossed, or there are not two rows and two columns. */
function crossedDifference(paired: readonly Pair<unknown>[], differences: readonly number[]) {
  const tasks = paired.flatMap(({ crossed }, at) =>
    crossed === null ? [] : [{ crossed, value: differences[at] ?? 0 }],
  );
  return tasks.length < paired.length ? null : crossedMean(tasks);
}

/** Rows or columns, whichever are fewer, count as that many tasks with the error that was found. */
function crossedChange(
  paired: readonly Pair<unknown>[],
  differences: readonly number[],
  confidence: number,
): RateChange | null {
  const crossed = crossedDifference(paired, differences);
  if (crossed === null) return null;
  const { mean, error, df } = crossed;
  return changeOfSeen({ mean, squares: error * error * (df + 1) * df, count: df + 1 }, confidence);
}
