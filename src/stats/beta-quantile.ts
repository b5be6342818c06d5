import { betaTail } from './incomplete-beta.ts';

/**
 * The odds x / (1 − x) at which I_x(a, b) = tail, for tails that `betaTail` takes; relative error below 1e-12.
 * The beta distribution function is log-concave in the log-odds, so Newton steps on its logarithm converge from
 * anywhere, from one side after the first step.
 */
export function betaQuantileOdds(a: number, b: number, tail: number, start: number): number {
  const target = Math.log(tail);
  let odds = start;
  for (let i = 0; i < 100; i++) {
    const { log, ratio } = betaTail(a, b, odds);
    const step = (target - log) * ratio;
    odds *= Math.exp(step);
    if (Math.abs(step) < 1e-12) break;
  }
  return odds;
}
