import { logBinomialChance } from './binomial.ts';
import { assertCounts, tailOf } from './counts.ts';

/**
 * Interval of a pass rate that may be looked at after every trial: the chance that it *ever* misses the rate is at most
 * 1 − confidence. All p with B(1 + passed, 1 + failed) / (p^passed·(1 − p)^failed) < 1/α, which is the same as a binomial
 * chance of `passed` above α / (trials + 1). Null without trials.
 * Source: beta-binomial mixture martingale, Robbins 1970, Ann. Math. Stat. 41, 1397–1409, with Ville's inequality;
 * Howard, Ramdas, McAuliffe and Sekhon 2021, Ann. Stat. 49, 1055–1080.
 */
export function confidenceSequence(
  trials: number,
  passed: number,
  confidence = 0.95,
): readonly [number, number] | null {
  assertCounts(trials, passed);
  const floor = Math.log(2 * tailOf(confidence)) - Math.log(trials + 1);
  if (trials === 0) return null;
  if (passed <= trials - passed) return rareInterval(passed, trials, floor);
  const [low, high] = rareInterval(trials - passed, trials, floor);
  return [1 - high, 1 - low];
}

/** For a count of at most half the trials, so that small rates keep their digits. */
function rareInterval(count: number, trials: number, floor: number): readonly [number, number] {
  if (count === 0) return [0, -Math.expm1(floor / trials)];
  return [solve(count, trials, floor, -1), solve(count, trials, floor, 1)];
}

/**
 * The rate on one side of count / trials at which the log-chance falls to `floor`. It is concave in the log-odds with
 * slope count − trials·rate, so Newton steps from outside approach the root from outside.
 */
function solve(count: number, trials: number, floor: number, side: 1 | -1): number {
  const centre = count / (trials - count);
  const chance = (odds: number): number => logBinomialChance(trials, odds / (1 + odds), count);
  let step = 2 / Math.sqrt(count);
  while (chance(centre * Math.exp(side * step)) > floor) step *= 2;
  let odds = centre * Math.exp(side * step);
  for (let i = 0; i < 100; i++) {
    const slope = count - trials * (odds / (1 + odds));
    const move = (floor - chance(odds)) / slope;
    odds *= Math.exp(move);
    if (Math.abs(move) < 1e-13) break;
  }
  return odds / (1 + odds);
}
