import { binomialAtLeast, binomialAtMost } from '../stats/binomial.ts';
import { mcNemar } from '../stats/mcnemar.ts';
import type { Run } from '../stats/two-proportions.ts';
import { proportionTest } from './proportion-test.ts';

/** Chance with which a drop at the noise floor is found. */
const POWER = 0.8;

/**
 * The smallest true drop that `trials` paired ones show with a chance of 80 %, when `passed` of them passed before and
 * none improves; null when not even losing all of them would be significant.
 */
export function pairedFloor({ trials, passed }: Run, alpha: number): number | null {
  const isFound = (lost: number): boolean => (mcNemar(lost, 0, trials)?.exact ?? 1) <= alpha;
  let least = 1;
  while (least <= passed && !isFound(least)) least++;
  if (least > passed) return null;
  const lost = solve((share) => binomialAtLeast(passed, share, least));
  return (lost * passed) / trials;
}

/** The same for an independent run of `trials` after one that gave `before`. */
export function unpairedFloor(before: Run, trials: number, alpha: number): number | null {
  if (before.trials === 0 || trials === 0) return null;
  const rate = before.passed / before.trials;
  const isFound = (passed: number): boolean =>
    passed / trials < rate && (proportionTest(before, { trials, passed })?.p ?? 1) <= alpha;
  if (!isFound(0)) return null;
  let found = 0;
  let missed = Math.ceil(rate * trials);
  while (missed - found > 1) {
    const middle = Math.floor((found + missed) / 2);
    if (isFound(middle)) found = middle;
    else missed = middle;
  }
  const failing = solve((share) => binomialAtMost(trials, 1 - share, found));
  return Math.max(0, rate - (1 - failing));
}

/** Where a chance that rises from 0 to 1 reaches the wanted power. */
function solve(chance: (share: number) => number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (chance(middle) >= POWER) high = middle;
    else low = middle;
  }
  return high;
}
