import { sumOf } from '../../stats/mean.ts';
import { normalQuantile } from '../../stats/normal-quantile.ts';
import { passHatK } from '../../stats/pass-hat-k.ts';
import { rateVariance } from '../../stats/rate-variance.ts';
import { studentQuantile } from '../../stats/student-t.ts';
import { withUnseenTasks, wilsonOfRate } from '../../stats/wilson.ts';
import type { NeededRuns, RecordedVariance } from '../../types/recording.ts';
import type { AlikeTasks } from './alike-tasks.ts';
import type { RecordedBar } from './recorded-bars.ts';

/** Half the width of an interval that is narrow enough where nothing says what is. */
const NARROW = 0.05;
const LEVEL = 0.95;
const POWER = 0.8;
/** Trials of a task, or tasks, beyond which nobody would go. */
const MOST_NEEDED = 1_000_000_000;

/** How much of what tells tasks apart is luck; see `rateVariance`. */
export function recordedVariance(alike: readonly AlikeTasks[]): RecordedVariance | null {
  const split = rateVariance(alike.map(({ trials, passed, tasks }) => ({ trials, passed, scenarios: tasks })));
  return split === null ? null : { tasks: split.scenarios, luck: split.luck, luckShare: split.luckShare };
}

/**
 * The tasks, or the trials of each of these tasks, that would settle what is open: for each bar whether pass^k reaches it,
 * with a chance of 80 % were the value as it was seen; without a bar an interval of pass^1 as narrow as ± 0.05. A bar is open
 * as long as the interval holds it. Source: Miller 2024 (arXiv 2411.00640), section 5, for one set and with Student's
 * quantile: (t_{α/2} + z_β)²·(ω² + σ²/K)/T ≤ δ², solved for T or for K, without z_β for a width; release-gate F-05. `alone`:
 * runs that cannot be read, which are tasks that failed, as in rates and gates.
 */
export function neededRuns(
  alike: readonly AlikeTasks[],
  bars: readonly RecordedBar[],
  alone = 0,
): readonly NeededRuns[] {
  const tried = { alike, alone };
  if (bars.length > 0) return bars.flatMap((bar) => neededForBar(tried, bar) ?? []);
  const sample = knownOf(tried, 1);
  if (sample === null) return [];
  const halfWidth = halfWidthOf(sample, LEVEL);
  if (halfWidth <= NARROW) return [];
  const aim = { wanted: NARROW, level: LEVEL, extra: 0 };
  const isNarrow = (one: Known): boolean => halfWidthOf(one, LEVEL) <= NARROW * (1 + 1e-12);
  const tasks = fewest(sample.tasks, (count) => isNarrow({ ...sample, tasks: count }));
  return [{ k: 1, bar: null, halfWidth, wanted: NARROW, tasks, ...trialsFor(sample, aim, isNarrow) }];
}

/** Null: the interval says whether the bar is reached, or nobody can tell. */
function neededForBar(tried: TriedTasks, bar: RecordedBar): NeededRuns | null {
  const { text, k, level, isOfThese } = bar;
  const seen = knownOf(tried, k);
  if (seen === null) return null;
  const sample = isOfThese ? withLuckAlone(seen) : seen;
  if (sample === null) return null;
  const [low, high] = intervalOf(sample, level);
  const distance = Math.abs(sample.value - bar.value);
  if (bar.value < low || bar.value > high || distance === 0) return null;
  const aim = { wanted: distance, level, extra: normalQuantile(POWER) };
  // What others would show may have no spread where these have, and Student's interval of those ends where rates do.
  const isTold = (one: Known): boolean => {
    const [from, to] = intervalOf(one, level, [0, 1]);
    return bar.value < from || bar.value > to;
  };
  const isEnough = (tasks: number): boolean =>
    factorOf(tasks, aim) * Math.sqrt(sample.variance / tasks) <= distance && isTold({ ...sample, tasks });
  return {
    k,
    bar: text,
    halfWidth: halfWidthOf(sample, level),
    wanted: distance,
    tasks: isOfThese ? null : fewest(sample.tasks, isEnough),
    ...trialsFor(sample, aim, isTold),
  };
}

/** pass^k as a mean over tasks. */
interface Known {
  readonly tasks: number;
  readonly value: number;
  /** Of the values of tasks. */
  readonly variance: number;
  /** Its parts; null: they are not known. */
  readonly parts: { readonly between: number; readonly luck: number } | null;
  /** Only these very tasks are asked about, so that others do not matter. */
  readonly isOfThese?: true;
}

interface TriedTasks {
  readonly alike: readonly AlikeTasks[];
  readonly alone: number;
}

/** Null: fewer than two tasks have k trials. */
function knownOf({ alike, alone }: TriedTasks, k: number): Known | null {
  const used = alike.flatMap((one) => {
    const value = passHatK(one.trials, one.passed, k);
    return value === null ? [] : [{ ...one, value }];
  });
  // They failed, whatever k is.
  if (alone > 0) used.push({ trials: 1, passed: 0, tasks: alone, value: 0 });
  const tasks = sumOf(used.map((one) => one.tasks));
  if (tasks < 2) return null;
  const value = sumOf(used.map((one) => one.tasks * one.value)) / tasks;
  // The mean of equal values may differ from them by rounding, which is no spread.
  const isEven = used.every((one) => one.value === used[0]?.value);
  const squares = isEven ? 0 : sumOf(used.map((one) => one.tasks * (one.value - value) ** 2));
  const split = k === 1 ? recordedVariance(used) : null;
  return {
    tasks,
    value,
    variance: squares / (tasks - 1),
    parts: isEven || split === null ? null : { between: split.tasks, luck: split.luck },
  };
}

/** For a bound that is about these very tasks; null: nobody knows how much is luck. */
function withLuckAlone(sample: Known): Known | null {
  if (sample.parts === null) return null;
  const { between, luck } = sample.parts;
  return { ...sample, variance: Math.max(0, sample.variance - between), parts: { between: 0, luck }, isOfThese: true };
}

/** As in reports: as wide at least as tasks allow that were not seen. `within`: where Student's ends at the latest. */
function intervalOf(
  sample: Known,
  level: number,
  [least, most]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): readonly [number, number] {
  const { tasks, value, variance, isOfThese } = sample;
  const half = studentQuantile(level, tasks - 1) * Math.sqrt(variance / tasks);
  const student = [Math.max(least, value - half), Math.min(most, value + half)] as const;
  if (isOfThese) return variance === 0 ? wilsonOfRate(value, tasks, level) : student;
  return withUnseenTasks(student, { rate: value, tasks, confidence: level });
}

function halfWidthOf(sample: Known, level: number): number {
  const [low, high] = intervalOf(sample, level);
  return (high - low) / 2;
}

/** How small so many errors must be: `extra` is the quantile of the chance to tell. */
interface Aim {
  readonly wanted: number;
  readonly level: number;
  readonly extra: number;
}

function factorOf(tasks: number, { level, extra }: Aim): number {
  return studentQuantile(level, tasks - 1) + extra;
}

function trialsFor(
  sample: Known,
  aim: Aim,
  isSettled: (sample: Known) => boolean,
): Pick<NeededRuns, 'trialsPerTask' | 'why'> {
  const { tasks, parts } = sample;
  if (parts === null) return { trialsPerTask: null, why: 'not_known' };
  const room = tasks * (aim.wanted / factorOf(tasks, aim)) ** 2 - parts.between;
  const trials = room <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(parts.luck / room));
  if (trials > MOST_NEEDED) return { trialsPerTask: null, why: 'tasks_differ' };
  // However often these are tried, what so few leave unseen stays.
  const variance = parts.between + parts.luck / trials;
  return isSettled({ ...sample, variance })
    ? { trialsPerTask: trials, why: null }
    : { trialsPerTask: null, why: 'few_tasks' };
}

/** The fewest tasks above `least` that are enough, where more always are; null: more than anybody would try. */
function fewest(least: number, isEnough: (tasks: number) => boolean): number | null {
  let enough = least + 1;
  let short = least;
  while (!isEnough(enough)) {
    short = enough;
    enough *= 2;
    if (enough > 2 * MOST_NEEDED) return null;
  }
  while (enough - short > 1) {
    const middle = Math.floor((short + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else short = middle;
  }
  return enough > MOST_NEEDED ? null : enough;
}
