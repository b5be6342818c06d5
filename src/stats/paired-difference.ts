import { assertPairs, tailOf } from './counts.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * Interval of (gained − lost) / pairs, the difference of two pass rates over the same trials; never of no width, also
 * where no pair disagrees. Null without pairs. Source: Bonett and Price 2012, J. Educ. Behav. Stat. 37, 479–488:
 * Wald's interval with one pair added to each kind of disagreement.
 */
export function pairedDifferenceInterval(
  lost: number,
  gained: number,
  pairs: number,
  confidence = 0.95,
): readonly [number, number] | null {
  assertPairs(pairs, lost, gained);
  if (pairs === 0) return null;
  const down = (lost + 1) / (pairs + 2);
  const up = (gained + 1) / (pairs + 2);
  const half = -normalQuantile(tailOf(confidence)) * Math.sqrt((down + up - (up - down) ** 2) / (pairs + 2));
  return [Math.max(-1, up - down - half), Math.min(1, up - down + half)];
}
