import { deviance } from '../deviance.ts';
import { logGammaChance } from './incomplete-gamma.ts';
import { stirlingRemainder } from '../stirling-remainder.ts';

/**
 * ln of a supermartingale that begins at 1, for a sum S of values that each lie within 1 of what was predicted for them, less
 * their means, and the sum V of squared misses of the predictions: it passes ln(1/α) at any time with a chance of at most α.
 * So S that reaches it says, whenever one looks, that the mean is larger than was assumed.
 *
 * Gamma-exponential mixture, with the tuning rate ρ. Source: Howard, Ramdas, McAuliffe and Sekhon 2021, Ann. Stat. 49,
 * 1055–1080, Theorem 4 (empirical Bernstein) and Proposition 9.
 */
export function logSumMartingale(sum: number, variance: number, rho = RHO): number {
  const shape = variance + rho;
  const at = sum + shape;
  // Below the mean the mixture is far from any alarm, and the expansion does not hold.
  if (sum <= 0) return Number.NEGATIVE_INFINITY;
  return withoutChance(shape, at, rho) + logGammaChance(shape, at) - logGammaChance(rho, rho);
}

/** True: the supermartingale has passed ln(1/α). The chance is only worked out where it decides. */
export function sumIsBeyond(sum: number, variance: number, logLimit: number, rho = RHO): boolean {
  if (sum <= 0) return false;
  const most =
    withoutChance(variance + rho, sum + variance + rho, rho) - (rho === RHO ? RHO_CHANCE : logGammaChance(rho, rho));
  // A chance between ½ and 1.
  if (most < logLimit) return false;
  return most - Math.LN2 >= logLimit || most + logGammaChance(variance + rho, sum + variance + rho) >= logLimit;
}

function withoutChance(shape: number, at: number, rho: number): number {
  return 0.5 * Math.log(rho / shape) + stirlingRemainder(shape) - stirlingRemainder(rho) + deviance(shape, at);
}

/** Tightest where about 10 of variance have been seen, at α = 0.025: ρ = v / (2·ln(1/2α) + ln(1 + 2·ln(1/2α))). */
const RHO = 10 / (2 * Math.log(20) + Math.log(1 + 2 * Math.log(20)));
const RHO_CHANCE = logGammaChance(RHO, RHO);
