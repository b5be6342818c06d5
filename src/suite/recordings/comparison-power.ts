import { meanOf, squaresAround } from '../../stats/mean.ts';
import { normalQuantile } from '../../stats/normal-quantile.ts';
import { normalTail } from '../../stats/normal-tail.ts';
import { fewestSure } from '../../stats/paired-t.ts';
import { trialVariance } from '../../stats/rate-variance.ts';
import { scenariosNeeded } from '../../stats/scenarios-needed.ts';
import { studentQuantile } from '../../stats/student-t.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';
import type { ComparedMean, ComparedVariance, NeededEvidence } from '../../types/reports/comparison.ts';

/** A task that both sides tried. */
export interface PairedTask {
  readonly task: string;
  readonly baseline: Tried;
  readonly candidate: Tried;
  /** What it is crossed of; null: it stands for itself. */
  readonly crossed: Crossing | null;
}

export interface Tried {
  readonly trials: number;
  readonly passed: number;
  /** Dollars; null: some trial is not priced. */
  readonly usd: number | null;
}

const POWER = 0.8;
/** Trials of a task, or tasks, beyond which nobody would go. */
const MOST_NEEDED = 1_000_000_000;

/**
 * How much of what tells tasks apart is luck: Var(d) = ω² + σ_A²/K_A + σ_B²/K_B with Var(d) over tasks, σ² the mean of
 * p̂(1 − p̂)·n/(n − 1), and ω² what is left. Null where some task has a single trial on a side, which shows no luck, or for
 * fewer than two tasks. Source: Miller 2024 (arXiv 2411.00640), section 5; release-gate F-05.
 */
export function varianceOf(paired: readonly PairedTask[]): ComparedVariance | null {
  if (paired.length < 2 || paired.some(({ baseline, candidate }) => Math.min(baseline.trials, candidate.trials) < 2))
    return null;
  const luck = {
    baseline: luckOf(paired.map((one) => one.baseline)),
    candidate: luckOf(paired.map((one) => one.candidate)),
  };
  const inMean = meanOf(
    paired.map(
      ({ baseline, candidate }) =>
        trialVariance(baseline) / baseline.trials + trialVariance(candidate) / candidate.trials,
    ),
  );
  const total = varianceOfDifferences(paired);
  const byLuck = inMean ?? 0;
  return { tasks: Math.max(0, total - byLuck), luck, luckShare: total === 0 ? null : Math.min(1, byLuck / total) };
}

/**
 * The tasks, or the trials of each of these tasks, with which the question would be decided with a chance of 80 %: whether
 * the difference is 0, or with a margin whether the loss is below it, were the difference as it was seen.
 */
export function neededEvidence(
  paired: readonly PairedTask[],
  { difference: seen }: ComparedMean,
  { margin, alpha }: { readonly margin: number | null; readonly alpha: number },
): NeededEvidence | null {
  const difference = Math.abs(margin === null ? seen : seen + margin);
  const variance = varianceOf(paired);
  // More of a crossed design is more rows and more columns, which no single number tells.
  if (difference === 0 || paired.length < 2 || paired.every(({ crossed }) => crossed !== null)) return null;
  const [before, after] = [
    harmonicMean(paired.map((one) => one.baseline.trials)),
    harmonicMean(paired.map((one) => one.candidate.trials)),
  ];
  // Single trials do not show how much is luck: then all of what was seen is taken to stay as it is.
  const between = variance?.tasks ?? varianceOfDifferences(paired);
  const luck = variance?.luck ?? { baseline: 0, candidate: 0 };
  const bySpread = scenariosNeeded({
    difference: Math.min(1, difference),
    betweenVariance: between,
    baseline: { variance: luck.baseline, trials: before },
    candidate: { variance: luck.candidate, trials: after },
    confidence: 1 - alpha,
    power: POWER,
  });
  const z = normalQuantile(POWER) - normalQuantile(alpha / 2);
  const seenBy = { spread: bySpread / (z * z), difference, alpha, count: paired.length };
  const isSingle = paired.every((one) => one.baseline.trials === 1 && one.candidate.trials === 1);
  const { tasks, share } =
    margin !== null ? byBounds(bySpread, seenBy) : isSingle ? byPairs(seenBy) : bySigns(bySpread, seenBy);
  // T·δ² / z², but for what these few tasks leave open, must hold ω² + (σ_A² + σ_B²)/K.
  const room = (share * paired.length * difference * difference) / (z * z) - between;
  const trials = variance === null || room <= 0 ? null : (luck.baseline + luck.candidate) / room;
  return { difference, tasks: whole(tasks), trialsPerTask: trials === null ? null : whole(Math.max(1, trials)) };
}

/** Tasks that decide, and the share of what these tasks could tell that is left for their spread. */
interface Room {
  readonly tasks: number;
  readonly share: number;
}

/** What tasks show: `spread` is the variance of a difference over the square of their mean. */
interface SeenBy {
  readonly spread: number;
  readonly difference: number;
  readonly alpha: number;
  readonly count: number;
}

/**
 * By sign flips, and Student's t of more than 20 tasks, to which flips of few come near: (t_{α/2} + z_β)²·spread ≤ T. Few
 * tasks are not sure of a difference, however alike, and the fewest that can be only where none goes the other way.
 */
function bySigns(bySpread: number, { spread, alpha, count }: SeenBy): Room {
  const least = fewestSure(alpha);
  const factor = (tasks: number): number => studentQuantile(1 - alpha, tasks - 1) + normalQuantile(POWER);
  const isEnough = (tasks: number): boolean =>
    tasks === least
      ? spread === 0 || normalTail(-1 / Math.sqrt(spread)) ** tasks >= POWER
      : factor(tasks) * factor(tasks) * spread <= tasks;
  let tasks = Math.max(Math.ceil(bySpread), least);
  // Student's quantile soon is the normal one, which `bySpread` is of.
  while (tasks <= MOST_NEEDED && !isEnough(tasks)) tasks++;
  const z = normalQuantile(POWER) - normalQuantile(alpha / 2);
  return { tasks, share: count < least ? 0 : (z / factor(count)) ** 2 };
}

/**
 * By McNemar's exact test, which is of the share d of tasks that differ, not of the spread of the differences:
 * (z_{α/2}·√d + z_β·√(d − δ²))·√T + 1 ≤ δ·T, solved for T; no luck is known of single trials.
 * Source: Connor 1987, Biometrics 43, 207–211, with Edwards' correction for continuity (1948, Psychometrika 13, 185–187).
 */
function byPairs({ spread, difference, alpha, count }: SeenBy): Room {
  // Over δ², of these very tasks: what is left of d there is 1.
  const own = (spread * (count - 1)) / count;
  const b = normalQuantile(POWER) * Math.sqrt(own) - normalQuantile(alpha / 2) * Math.sqrt(own + 1);
  const root = (b + Math.sqrt(b * b + 4 / difference)) / 2;
  return { tasks: Math.max(root * root, fewestSure(alpha)), share: 1 };
}

/** Bounds hold the pair that `rateChange` adds, too: T tasks need bySpread/T + (√2·z/(δ·T))² ≤ 1. */
function byBounds(bySpread: number, { difference, alpha, count }: SeenBy): Room {
  const least = (-Math.SQRT2 * normalQuantile(alpha / 2)) / difference;
  return { tasks: bySpread / 2 + Math.sqrt((bySpread / 2) ** 2 + least ** 2), share: 1 - (least / count) ** 2 };
}

function whole(count: number): number | null {
  return count > MOST_NEEDED ? null : Math.ceil(count);
}

function luckOf(tried: readonly Tried[]): number {
  return meanOf(tried.map(trialVariance)) ?? 0;
}

function varianceOfDifferences(paired: readonly PairedTask[]): number {
  const differences = paired.map(
    ({ baseline, candidate }) => candidate.passed / candidate.trials - baseline.passed / baseline.trials,
  );
  const mean = meanOf(differences);
  return mean === null ? 0 : squaresAround(differences, mean) / (differences.length - 1);
}

/** Errors of means go with 1 / trials. */
function harmonicMean(counts: readonly number[]): number {
  return counts.length / counts.reduce((sum, count) => sum + 1 / count, 0);
}
