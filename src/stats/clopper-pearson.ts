import { betaQuantileOdds } from './beta-quantile.ts';
import { assertCounts, tailOf } from './counts.ts';
import { wilsonInterval } from './wilson.ts';

/**
 * Clopper–Pearson interval of a pass rate: covers at least as often as `confidence` says; null without trials.
 * Bounds are beta quantiles, relative error (of the rarer outcome's rate) below 1e-12 up to 1e9 trials; closed forms
 * when all or none passed. Source: Clopper and Pearson 1934, Biometrika 26, 404–413.
 * Own code: lib-r-math.js 2.0.3 costs 160 ms to import and is off by up to 2e-9 of the rarer outcome's rate at the anchors.
 */
export function clopperPearsonInterval(
  passed: number,
  trials: number,
  confidence = 0.95,
): readonly [number, number] | null {
  assertCounts(trials, passed);
  const tail = tailOf(confidence);
  if (trials === 0) return null;
  if (passed <= trials - passed) return rareInterval(passed, trials, tail, confidence);
  const [low, high] = rareInterval(trials - passed, trials, tail, confidence);
  return [1 - high, 1 - low];
}

function rareInterval(count: number, trials: number, tail: number, confidence: number): readonly [number, number] {
  if (count === 0) return [0, -Math.expm1(Math.log(tail) / trials)];
  const [startLow, startHigh] = wilsonInterval(count, trials, confidence) as readonly [number, number];
  // I_L(s, n − s + 1) = α/2, and I_{1−U}(n − s, s + 1) = α/2: each a small tail, never a difference from 1.
  const low = betaQuantileOdds(count, trials - count + 1, tail, startLow / (1 - startLow));
  const high = betaQuantileOdds(trials - count, count + 1, tail, (1 - startHigh) / startHigh);
  return [low / (1 + low), 1 / (1 + high)];
}
