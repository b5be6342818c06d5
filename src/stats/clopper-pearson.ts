import { assertCounts, tailOf } from './counts.ts';
import { betaTail } from './incomplete-beta.ts';
import { wilsonInterval } from './wilson.ts';

/**
 * Clopper–Pearson interval of a pass rate: covers at least as often as `confidence` says; null without trials.
 * Bounds are beta quantiles, relative error (of the rarer outcome's rate) below 1e-12 up to 1e9 trials; closed forms
 * when all or none passed. Source: Clopper and Pearson 1934, Biometrika 26, 404–413.
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
  const low = solveOdds(count, trials - count + 1, tail, startLow / (1 - startLow));
  const high = solveOdds(trials - count, count + 1, tail, (1 - startHigh) / startHigh);
  return [low / (1 + low), 1 / (1 + high)];
}

/**
 * The odds at which I(a, b) = tail. Both tails are log-concave in the log-odds, so Newton steps on their logarithm
 * converge from anywhere, from one side after the first step.
 */
function solveOdds(a: number, b: number, tail: number, start: number): number {
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
