import { normalQuantile } from './normal-quantile.ts';
import { assertChance, assertNumbers, SMALLEST, tailOf } from './counts.ts';

/** A paired comparison that is planned. */
export interface ComparisonPlan {
  /** The difference of mean pass rates to be found. */
  readonly difference: number;
  /** Variance over scenarios of the difference of their true rates. */
  readonly betweenVariance: number;
  /** Mean variance of a trial within a scenario, and trials of each scenario, for both runs. */
  readonly baseline: {
    /** Variance of a trial. */
    readonly variance: number;
    /** Trials of each scenario. */
    readonly trials: number;
  };
  /** The same of the candidate. */
  readonly candidate: {
    /** Variance of a trial. */
    readonly variance: number;
    /** Trials of each scenario. */
    readonly trials: number;
  };
  /** 0.95 when absent. */
  readonly confidence?: number;
  /** Chance to find the difference; 0.8 when absent. */
  readonly power?: number;
}

/**
 * Scenarios that a paired comparison needs, as a fraction to be rounded up:
 * (z_{α/2} + z_β)²·(ω² + σ_A²/K_A + σ_B²/K_B) / δ².
 * Source: Miller 2024 (arXiv 2411.00640), section 5; release-gate F-05.
 */
export function scenariosNeeded(plan: ComparisonPlan): number {
  const { difference, betweenVariance, baseline, candidate, confidence = 0.95, power = 0.8 } = plan;
  if (!(difference >= SMALLEST && difference <= 1)) {
    throw new RangeError(`A difference of ${difference} is impossible: give a number above 0, at most 1.`);
  }
  assertChance('power', power);
  assertNumbers('variance', [betweenVariance, baseline.variance, candidate.variance], 0);
  for (const { trials } of [baseline, candidate]) {
    if (trials >= 1 && trials < Number.POSITIVE_INFINITY) continue;
    throw new RangeError(`Scenarios of ${trials} trials are impossible: give at least 1.`);
  }
  const z = normalQuantile(power) - normalQuantile(tailOf(confidence));
  const within = baseline.variance / baseline.trials + candidate.variance / candidate.trials;
  return (z * z * (betweenVariance + within)) / (difference * difference);
}
