import { assertCounts, assertRate } from './counts.ts';
import { deviance } from './deviance.ts';
import { betaTail } from './incomplete-beta.ts';
import { stirlingRemainder } from './stirling-remainder.ts';

/**
 * ln of the chance that exactly `passed` of `trials` pass at `rate`; −Infinity when impossible. Saddle-point form,
 * relative error of the chance below 1e-11 up to 1e9 trials, seven deviations out. Source: Loader 2000, "Fast and
 * accurate computation of binomial probabilities".
 */
export function logBinomialChance(trials: number, rate: number, passed: number): number {
  assertRate(rate);
  assertCounts(trials, passed);
  const failed = trials - passed;
  if (passed === 0) return trials === 0 ? 0 : trials * Math.log1p(-rate);
  if (failed === 0) return trials * Math.log(rate);
  if (rate === 0 || rate === 1) return Number.NEGATIVE_INFINITY;
  const remainders = stirlingRemainder(trials) - stirlingRemainder(passed) - stirlingRemainder(failed);
  const deviances = deviance(passed, trials * rate) + deviance(failed, trials * (1 - rate));
  return remainders - deviances - 0.5 * Math.log(2 * Math.PI * passed * (failed / trials));
}

/**
 * The chance that at least `least` of `trials` pass at `rate`: I_rate(least, trials − least + 1). Continued fraction, no
 * summation, in about √trials steps at most: relative error below 1e-12 up to 1e6 trials, 2e-11 up to 1e9 (where a rate
 * is a rounded double, seven deviations out).
 * Source: NIST DLMF 8.17.5. Own code: lib-r-math.js 2.0.3 (pbinom) keeps 6 digits of small tails at 1e3 trials, 3 at 1e9.
 */
export function binomialAtLeast(trials: number, rate: number, least: number): number {
  assertRate(rate);
  assertCounts(trials, 0);
  assertBound(least);
  if (least <= 0) return 1;
  if (least > trials || rate === 0) return 0;
  if (rate === 1) return 1;
  return betaChance(least, trials - least + 1, rate, 1 - rate);
}

/** The chance that at most `most` of `trials` pass at `rate`, as exact as `binomialAtLeast`. */
export function binomialAtMost(trials: number, rate: number, most: number): number {
  assertRate(rate);
  assertCounts(trials, 0);
  assertBound(most);
  if (most >= trials) return 1;
  if (most < 0 || rate === 1) return 0;
  if (rate === 0) return 1;
  return betaChance(trials - most, most + 1, 1 - rate, rate);
}

/** The chance that between `least` and `most` of `trials` pass at `rate`, both included. */
export function binomialBetween(trials: number, rate: number, least: number, most: number): number {
  assertBound(least);
  assertBound(most);
  const low = Math.max(0, least);
  const high = Math.min(trials, most);
  if (low > high) return 0;
  if (high === trials) return binomialAtLeast(trials, rate, low);
  if (low === 0) return binomialAtMost(trials, rate, high);
  if (high - low <= FEW_TERMS) {
    let sum = 0;
    for (let passed = low; passed <= high; passed++) sum += Math.exp(logBinomialChance(trials, rate, passed));
    return Math.min(1, sum);
  }
  // Of two tails that overlap, the smaller pair is subtracted: digits are lost only where the answer is near 1.
  const above = low > trials * rate;
  if (above) return Math.max(0, binomialAtLeast(trials, rate, low) - binomialAtLeast(trials, rate, high + 1));
  return Math.max(0, binomialAtMost(trials, rate, high) - binomialAtMost(trials, rate, low - 1));
}

/** Ranges this narrow are summed term by term, which keeps their digits. */
const FEW_TERMS = 64;

/** I_x(a, b), from whichever side is the tail; y = 1 − x. */
function betaChance(a: number, b: number, x: number, y: number): number {
  if (x <= a / (a + b)) return Math.min(1, Math.exp(betaTail(a, b, x / y).log));
  return Math.max(0, -Math.expm1(betaTail(b, a, y / x).log));
}

/** Bounds may lie beyond 0 and the trials, not between whole numbers. */
function assertBound(bound: number): void {
  if (Number.isInteger(bound)) return;
  throw new RangeError(`A bound of ${bound} passes is impossible: give a whole number.`);
}
