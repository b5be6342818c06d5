import { assertCounts, assertRate, tailOf } from './counts.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * Wilson score interval of a pass rate, independent trials; null without trials:
 * (p + z²/2n ± z·sqrt(p(1−p)/n + z²/4n²)) / (1 + z²/n). Source: Wilson 1927, J. Am. Stat. Assoc. 22, 209–212.
 */
export function wilsonInterval(trials: number, passed: number, confidence = 0.95): readonly [number, number] | null {
  assertCounts(trials, passed);
  const z = quantile(confidence);
  if (trials === 0) return null;
  // On the rarer outcome, then mirrored: near 1 the subtraction would lose the digits that matter.
  if (passed <= trials - passed) return rareInterval(passed / trials, trials, z);
  const [low, high] = rareInterval((trials - passed) / trials, trials, z);
  return [1 - high, 1 - low];
}

/**
 * Wilson's interval for an observed rate that need not be a quotient of whole numbers, such as the common pass rate of
 * a few scenarios.
 */
export function wilsonOfRate(rate: number, trials: number, confidence = 0.95): readonly [number, number] {
  assertRate(rate);
  assertSample(trials);
  const z = quantile(confidence);
  if (rate <= 0.5) return rareInterval(rate, trials, z);
  const [low, high] = rareInterval(1 - rate, trials, z);
  return [1 - high, 1 - low];
}

/**
 * Student's interval of the mean rate of tasks like these, not cut to [0, 1], made at least s wide: the share of tasks that,
 * by Wilson's bound, may differ from all `tasks` that were seen, s = z²/(tasks + z²). It then goes towards where the mean
 * were if those all failed, and all passed. Without spread that is as if z² tasks were added on either side, which is
 * Wilson's interval where all pass; Student's interval stands where it is wider, and nothing jumps in between.
 * Sources: Wilson 1927; Walley 1996, J. R. Stat. Soc. B 58, 3–57, for ends by added tasks.
 */
export function withUnseenTasks(
  [low, high]: readonly [number, number],
  { rate, tasks, confidence = 0.95 }: { readonly rate: number; readonly tasks: number; readonly confidence?: number },
): readonly [number, number] {
  const [, unseen] = wilsonOfRate(0, tasks, confidence);
  const wide = [
    Math.min(low, Math.max(rate * (1 - unseen), high - unseen)),
    Math.max(high, Math.min(rate + (1 - rate) * unseen, low + unseen)),
  ] as const;
  return [Math.max(0, wide[0]), Math.min(1, wide[1])];
}

/** Throws unless a rate can be one of so many trials. */
export function assertSample(trials: number): void {
  if (trials > 0 && trials < Number.POSITIVE_INFINITY) return;
  throw new RangeError(`A rate of ${trials} trials is impossible: give more than 0.`);
}

/** The 0.975 quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

function quantile(confidence: number): number {
  return confidence === 0.95 ? Z_95 : -normalQuantile(tailOf(confidence));
}

function rareInterval(rate: number, trials: number, z: number): [number, number] {
  const spread = (z * z) / trials;
  const half = z * Math.sqrt((rate * (1 - rate)) / trials + spread / (4 * trials));
  const high = (rate + spread / 2 + half) / (1 + spread);
  // The bounds are the roots of a quadratic with product rate² / (1 + spread): no difference of near-equal numbers.
  const low = rate === 0 ? 0 : (rate * rate) / (1 + spread) / high;
  return [low, Math.min(1, high)];
}
