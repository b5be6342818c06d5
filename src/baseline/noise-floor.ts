import { binomialAtLeast, binomialAtMost, logBinomialChance } from '../stats/binomial.ts';
import { hypergeometric } from '../stats/hypergeometric.ts';
import { mcNemar } from '../stats/mcnemar.ts';
import { normalQuantile } from '../stats/normal-quantile.ts';
import type { Run } from '../stats/two-proportions.ts';

/** Chance with which a drop at the noise floor is found. */
const POWER = 0.8;

/**
 * The smallest true drop that `trials` pairs with the same draws show with a chance of 80 %, when `passed` of them passed
 * before and none improves; null when not even losing all of them would be significant at the two-sided level.
 */
export function pairedFloor({ trials, passed }: Run, level: number): number | null {
  const isFound = (lost: number): boolean => (mcNemar(lost, 0, trials)?.exact ?? 1) <= level;
  let least = 1;
  while (least <= passed && !isFound(least)) least++;
  if (least > passed) return null;
  const lost = lowest((share) => binomialAtLeast(passed, share, least));
  return (lost * passed) / trials;
}

/**
 * The same for runs whose trials are independent, as those of live models are: the runs have the given trials, and the
 * pass rate before is that of `before`. Both runs vary, so the chance is taken over both.
 */
export function independentFloor(before: Run, trials: number, level: number): number | null {
  if (before.trials === 0 || trials === 0) return null;
  // Scenarios of a suite have often the same counts, and finding the floor takes milliseconds.
  const key = `${before.trials} ${before.passed} ${trials} ${level}`;
  const cached = cachedFloors.get(key);
  if (cached !== undefined) return cached;
  if (cachedFloors.size >= MOST_CACHED) cachedFloors.clear();
  const floor = computeFloor(before, trials, level);
  cachedFloors.set(key, floor);
  return floor;
}

const cachedFloors = new Map<string, number | null>();
const MOST_CACHED = 10_000;

function computeFloor(before: Run, trials: number, level: number): number | null {
  const rate = before.passed / before.trials;
  const looks = likelyCounts(before.trials, rate).map(({ passed, weight }) => ({
    weight,
    found: mostFound({ trials: before.trials, passed }, trials, level),
  }));
  const power = (drop: number): number =>
    looks.reduce((sum, { weight, found }) => sum + weight * binomialAtMost(trials, rate * (1 - drop), found), 0);
  if (power(1) < POWER) return null;
  return rate * lowest(power);
}

/** The highest pass count that is significantly lower than before; −1: none is. */
function mostFound(before: Run, trials: number, level: number): number {
  let found = -1;
  let missed = Math.ceil((before.passed / before.trials) * trials);
  while (missed - found > 1) {
    const middle = Math.floor((missed + found) / 2);
    // As Fisher's exact test has it.
    const worse = hypergeometric(before.trials, trials, before.passed + middle).atMost(middle);
    if (worse <= level / 2) found = middle;
    else missed = middle;
  }
  return found;
}

/** Pass counts that stand for all: each with its chance where they are few, else quantiles of equal weight. */
function likelyCounts(trials: number, rate: number): readonly { readonly passed: number; readonly weight: number }[] {
  const deviation = Math.sqrt(trials * rate * (1 - rate));
  const reach = 7 * deviation + 5;
  if (reach > MOST_COUNTS / 2) {
    return Array.from({ length: QUANTILES }, (_, i) => {
      const passed = Math.round(trials * rate + deviation * normalQuantile((i + 0.5) / QUANTILES));
      return { passed: Math.min(trials, Math.max(0, passed)), weight: 1 / QUANTILES };
    });
  }
  const low = Math.max(0, Math.floor(trials * rate - reach));
  const high = Math.min(trials, Math.ceil(trials * rate + reach));
  return Array.from({ length: high - low + 1 }, (_, i) => {
    return { passed: low + i, weight: Math.exp(logBinomialChance(trials, rate, low + i)) };
  });
}

const MOST_COUNTS = 64;
const QUANTILES = 32;

/** Where a chance that rises from 0 to 1 reaches the wanted power. */
function lowest(chance: (share: number) => number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (chance(middle) >= POWER) high = middle;
    else low = middle;
  }
  return high;
}
