import { clusteredInterval } from '../../stats/clustered-interval.ts';
import { meanInterval } from '../../stats/mean-interval.ts';
import { passAtK } from '../../stats/pass-at-k.ts';
import { listedKs, passHatK } from '../../stats/pass-hat-k.ts';
import { ratioInterval } from '../../stats/ratio-interval.ts';
import { type AlikeTasks, neededRuns, recordedVariance } from './needed-runs.ts';
import type { RecordedBar } from './recorded-bars.ts';
import { type CrossedMean, crossedRate, crossedTrials, type CrossedValue } from './crossed-tasks.ts';
import type { TaskCount, TaskCounts } from '../../trial/task-counts.ts';
import type {
  ClusteredRate,
  Crossing,
  ErrorPolicy,
  RecordedCost,
  RecordingReport,
  RecordingSubject,
  TaskClass,
  TaskPassHatK,
  TaskRow,
} from '../../types/recording.ts';

/** Tasks that are listed one by one. */
const MOST_TASKS = 10_000;

/** The counts of recorded trials, all together and by task. */
export interface RecordedCounts {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly tasks: TaskCounts;
}

/** One task under a reading of errors: they count as failures or not at all. */
interface Reading {
  readonly trials: number;
  readonly passed: number;
  /** Null: it stands for itself. */
  readonly crossed: Crossing | null;
}

/**
 * What recorded trials say as attempts at tasks: pass^k and pass@k are means over tasks, intervals are for tasks like these.
 * `bars`: what pass^k must reach. Sources: release-gate F-01 (pass^k), F-03 (b) (clustered error), F-04 (crossed
 * tasks), F-05 (planning), F-11 (cost
 * per success), M-06 and M-07.
 */
export function foldRecording(
  counts: RecordedCounts,
  subject: RecordingSubject,
  bars: readonly RecordedBar[] = [],
): RecordingReport {
  const { format, set, sources, errors: policy } = subject;
  const tasks = [...counts.tasks.entries].sort(([, a], [, b]) => a.lowestTrial - b.lowestTrial);
  const all = tasks.map(([, count]) => count);
  const { crossings } = counts.tasks;
  const readings = readAs(tasks, crossings, policy);
  const sizes = readings.map(({ trials }) => trials);
  const alike = alikeTasks(readings);
  const rate = clusteredRate(readings);
  const design = crossedOf(readings, ({ trials, passed }) => ({ value: passed / trials, trials }));
  const variance = recordedVariance(alike);
  const { trials: executed, unread } = trialsOf(counts, all);
  return {
    format,
    set,
    files: sources.flatMap(({ files }) => files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))),
    errors: {
      policy,
      count: counts.broken,
      rate: executed === 0 ? 0 : counts.broken / executed,
      otherwise: counts.broken === 0 ? null : otherwise(readAs(tasks, crossings, otherThan(policy)), otherThan(policy)),
    },
    tasks: tasks.length,
    histogram: histogramOf(all),
    repeated: all.reduce((sum, { repeated }) => sum + repeated, 0),
    trialsPerTask: { least: least(sizes), most: most(sizes) },
    passHatK: taskPassHatK(readings),
    passAtK: ksFor(readings).flatMap((k) => {
      const values = readings.flatMap(({ trials, passed }) => passAtK(trials, passed, k) ?? []);
      return values.length === 0 ? [] : [{ k, value: meanOf(values), tasks: values.length }];
    }),
    passRate: design === null ? rate : crossedTrials(rate, design),
    crossed: design?.design ?? null,
    variance,
    needs: design === null ? neededRuns(alike, bars) : [],
    cost: costOf(all, unread),
    perTask: tasks.slice(0, MOST_TASKS).map(([task, count]) => rowOf(task, count)),
    omitted: Math.max(0, tasks.length - MOST_TASKS),
    reasons: reasonsOf(all, { unread, isSplit: variance !== null, isCrossed: design !== null }),
  };
}

/** Runs that could not be read belong to no task. */
function trialsOf({ passed, failed, broken }: RecordedCounts, tasks: readonly TaskCount[]) {
  const trials = passed + failed + broken;
  const known = tasks.reduce((sum, task) => sum + task.passed + task.failed + task.broken, 0);
  return { trials, unread: trials - known };
}

/** Tasks of which a trial counts. */
function readAs(
  tasks: readonly (readonly [string, TaskCount])[],
  crossings: TaskCounts['crossings'],
  policy: ErrorPolicy,
): readonly Reading[] {
  return tasks.flatMap(([task, { passed, failed, broken }]) => {
    const trials = passed + failed + (policy === 'exclude' ? 0 : broken);
    return trials === 0 ? [] : [{ trials, passed, crossed: crossings.get(task) ?? null }];
  });
}

function otherThan(policy: ErrorPolicy): 'fail' | 'exclude' {
  return policy === 'exclude' ? 'fail' : 'exclude';
}

/** Null: not all tasks are crossed, or there are not two rows and two columns. `value`: null where a task has none. */
function crossedOf(
  readings: readonly Reading[],
  value: (reading: Reading) => Omit<CrossedValue, 'crossed'> | null,
): CrossedMean | null {
  const tasks: CrossedValue[] = [];
  for (const reading of readings) {
    const told = value(reading);
    if (told === null) continue;
    if (reading.crossed === null) return null;
    tasks.push({ ...told, crossed: reading.crossed });
  }
  return crossedRate(tasks);
}

function alikeTasks(readings: readonly Reading[]): readonly AlikeTasks[] {
  const classes = new Map<string, { trials: number; passed: number; tasks: number }>();
  for (const { trials, passed } of readings) {
    const known = classes.get(`${trials} ${passed}`);
    if (known === undefined) classes.set(`${trials} ${passed}`, { trials, passed, tasks: 1 });
    else known.tasks++;
  }
  // Sums must not depend on which task came first.
  return [...classes.values()].sort((a, b) => a.trials - b.trials || a.passed - b.passed);
}

function otherwise(readings: readonly Reading[], other: 'fail' | 'exclude'): RecordingReport['errors']['otherwise'] {
  const trials = readings.reduce((sum, reading) => sum + reading.trials, 0);
  const passed = readings.reduce((sum, reading) => sum + reading.passed, 0);
  return {
    policy: other,
    passRate: trials === 0 ? null : passed / trials,
    passHatK: taskPassHatK(readings).map(({ k, value, tasks: count }) => ({ k, value, tasks: count })),
  };
}

function ksFor(readings: readonly Reading[]): readonly number[] {
  return listedKs(most(readings.map(({ trials }) => trials)));
}

/** Mean over the tasks that have so many trials; the others are told. */
function taskPassHatK(readings: readonly Reading[]): readonly TaskPassHatK[] {
  return ksFor(readings).flatMap((k) => {
    const values = readings.flatMap(({ trials, passed }) => passHatK(trials, passed, k) ?? []);
    const crossed = crossedOf(readings, ({ trials, passed }) => {
      const own = passHatK(trials, passed, k);
      return own === null ? null : { value: own };
    });
    const mean = crossed ?? meanInterval(values);
    if (mean === null) return [];
    const { interval } = mean;
    return [
      {
        k,
        value: mean.mean,
        interval: interval === null ? null : ([Math.max(0, interval[0]), Math.min(1, interval[1])] as const),
        tasks: values.length,
        dropped: readings.length - values.length,
      },
    ];
  });
}

function clusteredRate(readings: readonly Reading[]): ClusteredRate {
  const trials = readings.reduce((sum, reading) => sum + reading.trials, 0);
  const passed = readings.reduce((sum, reading) => sum + reading.passed, 0);
  const clustered = clusteredInterval(readings);
  const rate = trials === 0 ? 0 : passed / trials;
  if (clustered === null) return { rate, interval: null, error: null, naiveError: null, designEffect: null };
  const { interval, error, naiveError, designEffect } = clustered;
  return { rate, interval, error, naiveError, designEffect };
}

/** Every error counts, whatever the reading: it was paid for too. */
function costOf(tasks: readonly TaskCount[], unread: number): RecordedCost {
  const sum = (pick: (task: TaskCount) => number): number => tasks.reduce((total, task) => total + pick(task), 0);
  const unpriced = sum((task) => task.unpriced) + unread;
  const uncounted = sum((task) => task.uncounted) + unread;
  const passed = sum((task) => task.passed);
  const nanoUsd = unpriced === 0 ? sum((task) => task.nanoUsd) : null;
  const tokens = uncounted === 0 ? sum((task) => task.tokens) : null;
  const ratio =
    nanoUsd === null || tasks.length === 0
      ? null
      : ratioInterval(tasks.map((task) => ({ cost: task.nanoUsd, passed: task.passed })));
  return {
    nanoUsd,
    unpriced,
    nanoUsdPerSuccess: ratio?.ratio ?? null,
    nanoUsdPerSuccessInterval: ratio?.interval ?? null,
    tokens,
    uncounted,
    tokensPerSuccess: tokens === null || passed === 0 ? null : tokens / passed,
  };
}

interface Telling {
  readonly unread: number;
  readonly isSplit: boolean;
  readonly isCrossed: boolean;
}

function reasonsOf(
  tasks: readonly TaskCount[],
  { unread, isSplit, isCrossed }: Telling,
): Readonly<Record<string, string>> {
  const { unpriced, uncounted } = costOf(tasks, unread);
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  return {
    ...(unpriced > 0 && { 'cost.nanoUsd': 'not_told' }),
    ...(uncounted > 0 && { 'cost.tokens': 'not_told' }),
    ...(unpriced === 0 && passed === 0 && { 'cost.nanoUsdPerSuccess': 'none_passed' }),
    ...(tasks.length < 2 && { 'passRate.interval': 'one_task' }),
    ...(isCrossed && { needs: 'crossed' }),
    ...(!isSplit && { variance: tasks.length < 2 ? 'one_task' : 'single_trials' }),
  };
}

function histogramOf(tasks: readonly TaskCount[]): readonly TaskClass[] {
  const classes = new Map<string, { trials: number; passed: number; errors: number; tasks: number }>();
  for (const { passed, failed, broken } of tasks) {
    const trials = passed + failed + broken;
    const key = `${trials} ${passed} ${broken}`;
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { trials, passed, errors: broken, tasks: 1 });
    else known.tasks++;
  }
  return [...classes.values()].sort((a, b) => a.trials - b.trials || a.passed - b.passed || a.errors - b.errors);
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

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function least(sizes: readonly number[]): number {
  return sizes.reduce((a, b) => Math.min(a, b), sizes[0] ?? 0);
}

function most(sizes: readonly number[]): number {
  return sizes.reduce((a, b) => Math.max(a, b), 0);
}
