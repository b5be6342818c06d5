import { assertCounts } from './counts.ts';
import { type Hypergeometric, hypergeometric } from './hypergeometric.ts';
import type { Run } from './two-proportions.ts';

/** Evidence that two independent runs differ. */
export interface FisherExact {
  /** Two-sided, as published: the chance of all tables with the same sums that are no more likely than this one. */
  readonly p: number;
  /** The chance of as few passes in the candidate, or fewer. */
  readonly worse: number;
  /** The chance of as many, or more. */
  readonly better: number;
}

/**
 * Fisher's exact test of two independent runs, conditional on all passes; null when a run has no trials. Each one-sided
 * value is at most α by chance at most so often, however unequal the runs are. Source: Fisher 1934; release-gate F-06.
 */
export function fisherExact(baseline: Run, candidate: Run): FisherExact | null {
  for (const { trials, passed } of [baseline, candidate]) assertCounts(trials, passed);
  if (baseline.trials === 0 || candidate.trials === 0) return null;
  const chances = hypergeometric(baseline.trials, candidate.trials, baseline.passed + candidate.passed);
  const worse = chances.atMost(candidate.passed);
  const better = chances.atLeast(candidate.passed);
  return { p: twoSided(chances, candidate.passed), worse, better };
}

function twoSided(chances: Hypergeometric, passed: number): number {
  const { least, most, mode, log, atMost, atLeast } = chances;
  // Tables as likely as the observed one but for rounding count as such; as in R.
  const bar = log(passed) + 1e-7;
  if (log(mode) <= bar) return 1;
  const isBelow = passed < mode;
  // The nearest count on the other side that is no more likely; one beyond the last when there is none.
  let near = mode;
  let far = isBelow ? most + 1 : least - 1;
  while (Math.abs(far - near) > 1) {
    const middle = Math.trunc((near + far) / 2);
    if (log(middle) <= bar) far = middle;
    else near = middle;
  }
  return Math.min(1, isBelow ? atMost(passed) + atLeast(far) : atLeast(passed) + atMost(far));
}
