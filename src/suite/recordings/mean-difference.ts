import { changeInterval } from '../../stats/change-interval.ts';
import { meanOf } from '../../stats/mean.ts';
import { lossWithin, type NonInferiority, nonInferiority, pairedT } from '../../stats/paired-t.ts';
import { signFlip } from '../../stats/sign-flip.ts';
import { studentTwoSided } from '../../stats/student-t.ts';
import type { ComparedMean, ComparedPairs } from '../../types/reports/comparison.ts';
import type { PairedTask, Tried } from './comparison-power.ts';
import { crossedMean } from './crossed-tasks.ts';

/** Tasks up to which every pattern of signs is tried. */
const FEW_TASKS = 20;

/** Whether a loss stays within a margin, at a one-sided confidence; null: there is no task. */
export type LossWithin = (margin: number, confidence: number) => NonInferiority['verdict'] | null;

interface Testing {
  readonly seed: number;
  /** The pairs whose test decides; null: there is none. */
  readonly pairs: ComparedPairs | null;
}

/** Candidate − baseline of a value of each task, tested by what fits these tasks; null: there is none. */
export function meanDifference(
  paired: readonly PairedTask[],
  value: (one: Tried) => number,
  { seed, pairs }: Testing,
): ComparedMean | null {
  const [before, after] = [paired.map((one) => value(one.baseline)), paired.map((one) => value(one.candidate))];
  const differences = after.map((one, at) => one - (before[at] ?? 0));
  const crossed = twoWay(paired, differences);
  const mean = crossed ?? pairedT(differences);
  if (mean === null) return null;
  const means = {
    baseline: meanOf(before) ?? 0,
    candidate: meanOf(after) ?? 0,
    difference: mean.mean,
    interval: mean.interval,
  };
  if (crossed !== null) return { ...means, p: crossed.p, test: crossed.p === null ? null : 'two_way_t' };
  if (pairs !== null) return { ...means, p: pairs.exact, test: 'mcnemar' };
  if (differences.length < 2) return { ...means, p: null, test: null };
  if (differences.length > FEW_TASKS && mean.p !== null) return { ...means, p: mean.p, test: 'paired_t' };
  return { ...means, p: signFlip(differences, { seed })?.p ?? null, test: 'sign_flip' };
}

/** The same of a rate of each task. */
export function rateDifference(
  paired: readonly PairedTask[],
  rate: (one: Tried) => number,
  testing: Testing,
): ComparedMean | null {
  const mean = meanDifference(paired, rate, testing);
  return mean && { ...mean, interval: mean.interval && changeInterval(mean.interval) };
}

/** A mean over crossed tasks, tested against none; null: not all are crossed, or there are not two rows and two columns. */
export function twoWay(paired: readonly PairedTask[], values: readonly number[], confidence?: number) {
  const tasks = paired.flatMap(({ crossed }, at) => (crossed === null ? [] : [{ crossed, value: values[at] ?? 0 }]));
  if (tasks.length < paired.length) return null;
  const mean = crossedMean(tasks, confidence);
  if (mean === null) return null;
  return { ...mean, p: mean.error === 0 ? null : studentTwoSided(mean.mean / mean.error, mean.df) };
}

/** Whether the loss stays within a margin, at a one-sided confidence. */
export function lossIn(paired: readonly PairedTask[], differences: readonly number[]): LossWithin {
  return (margin, confidence) => {
    const crossed = twoWay(paired, differences, 2 * confidence - 1);
    const loss = crossed === null ? nonInferiority(differences, margin, confidence) : lossWithin(crossed, margin);
    return loss?.verdict ?? null;
  };
}
