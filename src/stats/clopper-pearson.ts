import { betaQuantileOdds } from './beta-quantile.ts';
import { assertCounts, assertRate, tailOf } from './counts.ts';
import { assertSample, wilsonOfRate } from './wilson.ts';

/**
 * Clopper–Pearson interval of a pass rate: covers at least as often as `confidence` says; null without trials.
 * Bounds are beta quantiles, relative error (of the rarer outcome's rate) below 1e-12 up to 1e9 trials; closed forms
 * when all or none passed. Source: Clopper and Pearson 1934, Biometrika 26, 404–413.
 * Own code: lib-r-math.js 2.0.3 costs 160 ms to import and is off by up to 2e-9 of the rarer outcome's rate at the anchors.
 */
export function clopperPearsonInterval(
  trials: number,
  passed: number,
  confidence = 0.95,
): readonly [number, number] | null {
  assertCounts(trials, passed);
  const tail = tailOf(confidence);
  if (trials === 0) return null;
  if (passed <= trials - passed) return rareInterval(passed, trials, tail);
  const [low, high] = rareInterval(trials - passed, trials, tail);
  return [1 - high, 1 - low];
}

/**
 * The same for an observed rate from 0 to 1 that need not be a quotient of whole numbers, such as a mean of pass^k over
 * `trials` groups of k trials. Never falls as the rate rises. Less than half a pass, or a failure, bounds nothing.
 */
export function clopperPearsonOfRate(rate: number, trials: number, confidence = 0.95): readonly [number, number] {
  assertRate(rate);
  assertSample(trials);
  const tail = tailOf(confidence);
  if (rate <= 0.5) return rareInterval(rate * trials, trials, tail);
  const [low, high] = rareInterval((1 - rate) * trials, trials, tail);
  return [1 - high, 1 - low];
}

function rareInterval(count: number, trials: number, tail: number): readonly [number, number] {
  if (count === 0) return [0, -Math.expm1(Math.log(tail) / trials)];
  const [startLow, startHigh] = wilsonOfRate(count / trials, trials, 1 - 2 * tail);
  // I_L(s, n − s + 1) = α/2, and I_{1−U}(n − s, s + 1) = α/2: each a small tail, never a difference from 1.
  const low = count < LEAST_COUNT ? 0 : betaQuantileOdds(count, trials - count + 1, tail, startLow / (1 - startLow));
  const high = betaQuantileOdds(trials - count, count + 1, tail, (1 - startHigh) / startHigh);
  return [low / (1 + low), 1 / (1 + high)];
}

/** The incomplete beta function is computed from this parameter on. */
const LEAST_COUNT = 0.5;
