import { assertCounts } from './counts.ts';
import { normalTwoSided } from './normal-tail.ts';
import { wilsonInterval } from './wilson.ts';

/** Trials of one of two independent runs. */
export interface Run {
  /** Trials that were run. */
  readonly trials: number;
  /** How many of these passed. */
  readonly passed: number;
}

/** How two pass rates compare. */
export interface TwoProportions {
  /** Candidate's pass rate − baseline's. */
  readonly difference: number;
  /** Score statistic; 0 when both runs passed all or none. */
  readonly z: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Score test of two independent runs: z = (p₂ − p₁) / √(p̄(1 − p̄)(1/n₁ + 1/n₂)). Null when a run has no trials. For few
 * trials take `fisherExact`, for paired ones `mcNemar`. Source: Pearson 1900; release-gate F-06.
 */
export function twoProportions(baseline: Run, candidate: Run): TwoProportions | null {
  assertRuns(baseline, candidate);
  if (baseline.trials === 0 || candidate.trials === 0) return null;
  const difference = differenceOf(baseline, candidate);
  const trials = baseline.trials + candidate.trials;
  const passed = baseline.passed + candidate.passed;
  if (passed === 0 || passed === trials) return { difference, z: 0, p: 1 };
  const variance = (passed / trials) * ((trials - passed) / trials) * (1 / baseline.trials + 1 / candidate.trials);
  const z = difference / Math.sqrt(variance);
  return { difference, z, p: normalTwoSided(z) };
}

/**
 * Interval of candidate's pass rate − baseline's, independent runs, from their Wilson intervals; null when a run has no
 * trials. Source: Newcombe 1998, Statistics in Medicine 17, 873–890, method 10.
 */
export function newcombeInterval(baseline: Run, candidate: Run, confidence = 0.95): readonly [number, number] | null {
  assertRuns(baseline, candidate);
  const before = wilsonInterval(baseline.trials, baseline.passed, confidence);
  const after = wilsonInterval(candidate.trials, candidate.passed, confidence);
  if (before === null || after === null) return null;
  const p1 = baseline.passed / baseline.trials;
  const p2 = candidate.passed / candidate.trials;
  const difference = differenceOf(baseline, candidate);
  const below = Math.hypot(p2 - after[0], before[1] - p1);
  const above = Math.hypot(after[1] - p2, p1 - before[0]);
  return [Math.max(-1, difference - below), Math.min(1, difference + above)];
}

/** The rarer outcome carries the digits of the difference. */
function differenceOf(baseline: Run, candidate: Run): number {
  if (baseline.passed * 2 <= baseline.trials) {
    return candidate.passed / candidate.trials - baseline.passed / baseline.trials;
  }
  const failedBefore = (baseline.trials - baseline.passed) / baseline.trials;
  return failedBefore - (candidate.trials - candidate.passed) / candidate.trials;
}

function assertRuns(...runs: readonly Run[]): void {
  for (const { trials, passed } of runs) assertCounts(trials, passed);
}
