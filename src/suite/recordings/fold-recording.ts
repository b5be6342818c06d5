import { clusteredInterval } from '../../stats/clustered-interval.ts';
import { type MeanInterval, meanOfAlike } from '../../stats/mean-interval.ts';
import { sumOf } from '../../stats/mean.ts';
import { passAtK } from '../../stats/pass-at-k.ts';
import { listedKs, passHatK } from '../../stats/pass-hat-k.ts';
import { withUnseenTasks } from '../../stats/wilson.ts';
import type { TaskCount, TaskCounts } from '../../trial/tally/task-counts.ts';
import type { AsiId } from '../../types/release/origin.ts';
import type {
  ClusteredRate,
  ErrorPolicy,
  RecordingReport,
  RecordingSubject,
  TaskPassHatK,
} from '../../types/recording.ts';
import type { TaskRow } from '../../types/recordings/task-row.ts';
import { type AlikeTasks, alikeTasks, countingTrials, histogramOf } from './alike-tasks.ts';
import { type CrossedMean, crossedRate, crossedTrials, type CrossedValue } from './crossed-tasks.ts';
import { neededRuns, recordedVariance } from './needed-runs.ts';
import type { RecordedBar } from './recorded-bars.ts';
import { recordedCost } from './recorded-cost.ts';

/** Tasks that are listed one by one. */
const MOST_TASKS = 10_000;

/** The counts of recorded trials, all together and by task. */
export interface RecordedCounts {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly tasks: TaskCounts;
}

/**
 * What recorded trials say as attempts at tasks: pass^k and pass@k are means over tasks, intervals are for tasks like these.
 * `bars`: what pass^k must reach; `owasp`: as which categories attacks count. Sources: release-gate F-01 (pass^k), F-03 (b) (clustered error), F-04 (crossed
 * tasks), F-05 (planning), F-11 (cost per success), M-06 and M-07.
 */
export function foldRecording(
  counts: RecordedCounts,
  subject: RecordingSubject,
  { bars = [], owasp = [] }: { readonly bars?: readonly RecordedBar[]; readonly owasp?: readonly AsiId[] } = {},
): RecordingReport {
  const { format, set, sources, errors: policy } = subject;
  const { tasks } = counts;
  const histogram = histogramOf(tasks);
  const alike = alikeTasks(histogram, policy);
  const executed = counts.passed + counts.failed + counts.broken;
  // Runs that could not be read belong to no task.
  const unread = executed - sumOf(histogram.map((one) => one.trials * one.tasks));
  // Gates take them for tasks of their own, so rates do, too: a file of which the failures are damaged is no better for it.
  const alone = policy === 'exclude' ? 0 : unread;
  const rate = clusteredRate([...alike, { trials: 1, passed: 0, tasks: alone }]);
  const design = crossedOf(tasks, { policy, alone }, ({ trials, passed }) => ({ value: passed / trials, trials }));
  const variance = recordedVariance(alike);
  const cost = recordedCost(tasks, unread);
  return {
    format,
    set,
    ...(subject.attack !== undefined && { attack: { ...subject.attack, owasp } }),
    files: sources.flatMap(({ files }) => files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))),
    errors: {
      policy,
      count: counts.broken,
      rate: executed === 0 ? 0 : counts.broken / executed,
      otherwise:
        counts.broken === 0 ? null : otherwise({ tasks, histogram, unread }, policy === 'exclude' ? 'fail' : 'exclude'),
    },
    tasks: tasks.size,
    histogram,
    repeated: repeatedIn(tasks),
    trialsPerTask: { least: alike[0]?.trials ?? 0, most: alike.at(-1)?.trials ?? 0 },
    passHatK: taskPassHatK(tasks, alike, { policy, alone }),
    passAtK: ksFor(alike).flatMap((k) => {
      const values = valuesOf(alike, alone, ({ trials, passed }) => passAtK(trials, passed, k));
      const count = countOf(values);
      return count === 0
        ? []
        : [{ k, value: sumOf(values.map(({ value, scenarios }) => value * scenarios)) / count, tasks: count }];
    }),
    passRate: design === null ? rate : crossedTrials(rate, design),
    crossed: design?.design ?? null,
    variance,
    needs: design === null ? neededRuns(alike, bars, alone) : [],
    cost,
    perTask: firstTasks(tasks).map(([task, count]) => ({
      ...rowOf(task, count),
      ...(subject.attack !== undefined && crossedAt(task, tasks)),
    })),
    omitted: Math.max(0, tasks.size - MOST_TASKS),
    reasons: {
      ...(cost.unpriced > 0 && { 'cost.nanoUsd': 'not_told' }),
      ...(cost.uncounted > 0 && { 'cost.tokens': 'not_told' }),
      ...(cost.unpriced === 0 &&
        alike.every(({ passed }) => passed === 0) && { 'cost.nanoUsdPerSuccess': 'none_passed' }),
      ...(tasks.size + alone < 2 && { 'passRate.interval': 'one_task' }),
      ...(design !== null && { needs: 'crossed' }),
      ...(variance === null && { variance: tasks.size < 2 ? 'one_task' : 'single_trials' }),
    },
  };
}

/** What errors count as, and how many runs that cannot be read count as tasks that failed. */
interface Reading {
  readonly policy: ErrorPolicy;
  readonly alone: number;
}

/** Null: not all tasks are crossed, or there are not two rows and two columns. `value`: null where a task has none. */
function crossedOf(
  tasks: TaskCounts,
  { policy, alone }: Reading,
  value: (task: Omit<AlikeTasks, 'tasks'>) => Omit<CrossedValue, 'crossed'> | null,
): CrossedMean | null {
  if (tasks.crossings.size < tasks.size) return null;
  const values = [...tasks.entries()].flatMap(([task, count]): readonly CrossedValue[] => {
    const trials = countingTrials(count, policy);
    const measure = trials === 0 ? null : value({ trials, passed: count.passed });
    const crossed = tasks.crossings.get(task);
    return measure === null || crossed === undefined ? [] : [{ ...measure, crossed }];
  });
  return crossedRate(values, alone);
}

function otherwise(
  {
    tasks,
    histogram,
    unread,
  }: { readonly tasks: TaskCounts; readonly unread: number } & Pick<RecordingReport, 'histogram'>,
  policy: 'fail' | 'exclude',
): RecordingReport['errors']['otherwise'] {
  const alike = alikeTasks(histogram, policy);
  const alone = policy === 'exclude' ? 0 : unread;
  const trials = alone + sumOf(alike.map((one) => one.trials * one.tasks));
  const passed = sumOf(alike.map((one) => one.passed * one.tasks));
  return {
    policy,
    passRate: trials === 0 ? null : passed / trials,
    passHatK: taskPassHatK(tasks, alike, { policy, alone }).map(({ k, value, tasks: count }) => ({
      k,
      value,
      tasks: count,
    })),
  };
}

function ksFor(alike: readonly AlikeTasks[]): readonly number[] {
  return listedKs(alike.at(-1)?.trials ?? 0);
}

/** A value of tasks, and how many have it. */
interface Shared {
  readonly value: number;
  readonly scenarios: number;
}

/** `alone`: tasks that failed, whatever k is. */
function valuesOf(
  alike: readonly AlikeTasks[],
  alone: number,
  value: (task: AlikeTasks) => number | null,
): readonly Shared[] {
  const values = alike.flatMap((one) => {
    const own = value(one);
    return own === null ? [] : [{ value: own, scenarios: one.tasks }];
  });
  return alone === 0 ? values : [...values, { value: 0, scenarios: alone }];
}

function countOf(values: readonly Shared[]): number {
  return sumOf(values.map(({ scenarios }) => scenarios));
}

/** Mean over the tasks that have so many trials; the others are told. */
function taskPassHatK(tasks: TaskCounts, alike: readonly AlikeTasks[], reading: Reading): readonly TaskPassHatK[] {
  const all = reading.alone + sumOf(alike.map((one) => one.tasks));
  return ksFor(alike).flatMap((k) => {
    const values = valuesOf(alike, reading.alone, ({ trials, passed }) => passHatK(trials, passed, k));
    const crossed = crossedOf(tasks, reading, ({ trials, passed }) => {
      const own = passHatK(trials, passed, k);
      return own === null ? null : { value: own };
    });
    const mean = crossed ?? rateOfAlike(values);
    if (mean === null) return [];
    const count = countOf(values);
    return [
      {
        k,
        value: mean.mean,
        interval: mean.interval,
        tasks: count,
        dropped: all - count,
      },
    ];
  });
}

/** A mean of rates, whose interval is as wide at least as tasks allow that were not seen, as in `clusteredInterval`. */
function rateOfAlike(values: readonly Shared[]): MeanInterval | null {
  const mean = meanOfAlike(values);
  if (mean === null || mean.interval === null) return mean;
  return { ...mean, interval: withUnseenTasks(mean.interval, { rate: mean.mean, tasks: mean.df + 1 }) };
}

function clusteredRate(alike: readonly AlikeTasks[]): ClusteredRate {
  const trials = sumOf(alike.map((one) => one.trials * one.tasks));
  const passed = sumOf(alike.map((one) => one.passed * one.tasks));
  const clustered = clusteredInterval(alike.map(({ tasks, ...one }) => ({ ...one, scenarios: tasks })));
  const rate = trials === 0 ? 0 : passed / trials;
  if (clustered === null) return { rate, interval: null, error: null, naiveError: null, designEffect: null };
  const { interval, error, naiveError, designEffect } = clustered;
  return { rate, interval, error, naiveError, designEffect };
}

function repeatedIn(tasks: TaskCounts): number {
  let repeated = 0;
  for (const [, count] of tasks.entries()) repeated += count.repeated;
  return repeated;
}

/** In the order of their first trials; of a million tasks no more are held than are listed. */
function firstTasks(tasks: TaskCounts): readonly (readonly [string, TaskCount])[] {
  const firsts = new Float64Array(tasks.size);
  let at = 0;
  for (const [, { lowestTrial }] of tasks.entries()) firsts[at++] = lowestTrial;
  const last = firsts.sort()[Math.min(MOST_TASKS, tasks.size) - 1] ?? -1;
  const listed: (readonly [string, TaskCount])[] = [];
  for (const entry of tasks.entries()) if (entry[1].lowestTrial <= last) listed.push(entry);
  return listed.sort(([, a], [, b]) => a.lowestTrial - b.lowestTrial).slice(0, MOST_TASKS);
}

function crossedAt(task: string, { crossings }: TaskCounts): Pick<TaskRow, 'crossed'> {
  const crossed = crossings.get(task);
  return crossed === undefined ? {} : { crossed };
}

function rowOf(task: string, count: TaskCount): TaskRow {
  const { passed, failed, broken, tokens, uncounted, nanoUsd, unpriced } = count;
  return {
    task,
    trials: passed + failed + broken,
    passed,
    errors: broken,
    nanoUsd: unpriced === 0 ? nanoUsd : null,
    tokens: uncounted === 0 ? tokens : null,
  };
}
