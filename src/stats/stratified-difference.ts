import { tailOf } from './counts.ts';
import { normalQuantile } from './normal-quantile.ts';
import { sumOf } from './mean.ts';
import { assertStrata, type Stratum } from './stratified-test.ts';
import type { Run } from './two-proportions.ts';

/** A mean change with what more trials would show. */
export interface StratifiedDifference {
  /** Mean difference over strata. */
  readonly mean: number;
  /** Standard error; 0 where chance plays no part. */
  readonly error: number;
  /** Lower and upper bound. */
  readonly interval: readonly [number, number];
}

/**
 * Mean over *these* scenarios of the change of the pass rate, with an interval for what more trials of them would show;
 * null without a trial. The variance of each scenario is that of its trials, without bias; one lost and one gained trial
 * of the scenario in which a trial weighs most are added, as Bonett and Price (2012, J. Educ. Behav. Stat. 37, 479–488)
 * add them for one sample, so that the interval has a width where nothing changed. Source: release-gate F-03 (a), F-08.
 */
export function stratifiedDifference(strata: readonly Stratum[], confidence = 0.95): StratifiedDifference | null {
  assertStrata(strata);
  const z = -normalQuantile(tailOf(confidence));
  const changes = strata.flatMap((stratum) => changeOf(stratum) ?? []);
  const count = changes.length;
  if (count === 0) return null;
  const mean = sumOf(changes.map((change) => change.difference)) / count;
  const variance = sumOf(changes.map((change) => change.variance)) / count ** 2;
  const unit = changes.reduce((most, change) => Math.max(most, change.unit), 0) / count;
  const error = Math.sqrt(variance + 2 * unit * unit);
  return { mean, error, interval: [Math.max(-1, mean - z * error), Math.min(1, mean + z * error)] };
}

/**
 * Standard error of that mean, had it fallen by `fall`, and each scenario in which chance plays a part as much: trials of a
 * lucky run spread less than those that a fall would have given. Rates before and after stand that far apart around the
 * rate of both, where Farrington and Manning (1990, Stat. Med. 9, 1447–1454) and, for pairs, Tango (1998, Stat. Med. 17,
 * 891–908) take the likeliest ones.
 */
export function errorAtFall(strata: readonly Stratum[], fall: number): number {
  const tried = strata.filter((stratum) => changeOf(stratum) !== null);
  const exact = tried.flatMap((stratum) => (stratum.kind === 'exact' ? [stratum.difference] : []));
  const drawn = tried.length - exact.length;
  if (drawn === 0) return 0;
  const own = Math.max(-1, Math.min(1, (fall * tried.length + sumOf(exact)) / drawn));
  return Math.sqrt(sumOf(tried.map((stratum) => varianceAtFall(stratum, own)))) / tried.length;
}

function varianceAtFall(stratum: Stratum, fall: number): number {
  if (stratum.kind === 'exact') return 0;
  if (stratum.kind === 'pairs') {
    const { trials, lost, gained } = stratum;
    // What went both ways is noise, and goes on.
    const apart = Math.min(1, (2 * Math.min(lost, gained)) / trials + Math.abs(fall));
    return (apart - fall * fall) / trials;
  }
  const { before, after } = stratum;
  const trials = before.trials + after.trials;
  const high = (before.passed + after.passed + fall * after.trials) / trials;
  const was = Math.max(0, fall, Math.min(1, 1 + fall, high));
  const is = was - fall;
  return (was * (1 - was)) / before.trials + (is * (1 - is)) / after.trials;
}

interface Change {
  readonly difference: number;
  readonly variance: number;
  /** What one trial changes. */
  readonly unit: number;
}

function changeOf(stratum: Stratum): Change | null {
  if (stratum.kind === 'exact') return { difference: stratum.difference, variance: 0, unit: 0 };
  if (stratum.kind === 'pairs') {
    const { trials, lost, gained } = stratum;
    if (trials === 0) return null;
    const difference = (gained - lost) / trials;
    const apart = lost + gained;
    // A single pair says nothing of its spread: as far apart as it is.
    const squares = trials === 1 ? apart : (apart - (gained - lost) * difference) / (trials - 1);
    return { difference, variance: squares / trials, unit: 1 / trials };
  }
  const { before, after } = stratum;
  if (before.trials === 0 || after.trials === 0) return null;
  return {
    difference: after.passed / after.trials - before.passed / before.trials,
    variance: varianceOf(before) + varianceOf(after),
    unit: 1 / Math.min(before.trials, after.trials),
  };
}

/** Of a pass rate; of a single trial the largest there is. */
function varianceOf({ trials, passed }: Run): number {
  if (trials === 1) return 0.25;
  return ((passed / trials) * ((trials - passed) / trials)) / (trials - 1);
}
