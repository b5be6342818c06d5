import { assertCounts, assertK } from './counts.ts';
import { sumLog1p } from './sum-log1p.ts';

/**
 * pass^k: the chance that k trials drawn without replacement from `trials` all pass, C(passed, k) / C(trials, k);
 * unbiased for p^k of independent trials. Null when k exceeds `trials`. Product form of min(k, failed) factors, relative
 * error below 2·min(k, failed)·2^-53: log-gamma loses ten digits at 1e9 trials. Source: Yao et al. 2024 (tau-bench).
 */
export function passHatK(trials: number, passed: number, k: number): number | null {
  assertCounts(trials, passed);
  assertK(k);
  if (k > trials) return null;
  if (k > passed) return 0;
  const failed = trials - passed;
  // C(c, k) / C(n, k) = C(n − k, f) / C(n, f): the same value in as many factors as there are failures.
  const factors = Math.min(k, failed);
  const taken = Math.max(k, failed);
  if (factors > MOST_FACTORS) return Math.exp(sumLog1p(trials, taken, factors, UNDERFLOW));
  let chance = 1;
  for (let i = 0; i < factors && chance > 0; i++) chance *= (trials - taken - i) / (trials - i);
  return chance;
}

/** The k for which reports list pass^k: 1 to 64, powers of two, and all trials; ascending, none beyond `trials`. */
export function listedKs(trials: number): readonly number[] {
  assertCounts(trials, 0);
  const listed: number[] = [];
  for (let k = 1; k <= Math.min(64, trials); k++) listed.push(k);
  for (let k = 128; k <= trials; k *= 2) listed.push(k);
  if (trials > 64 && listed.at(-1) !== trials) listed.push(trials);
  return listed;
}

/** Beyond it the rounding of a plain product adds up; a compensated sum of logarithms keeps 12 digits. */
const MOST_FACTORS = 1e6;
/** exp of anything lower is 0. */
const UNDERFLOW = -746;
