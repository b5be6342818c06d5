import { sumIsBeyond } from './bounded-sum-boundary.ts';
import { tailOf } from '../counts.ts';

/** Of outcomes that each cost something and passed or not: what the interval of cost per pass at any time follows from. */
export class CostSums {
  outcomes = 0;
  cost = 0;
  passed = 0;
  /** Sums of squares and products of what predictions missed: of costs, of costs and passes, and of passes. */
  costSquares = 0;
  products = 0;
  passSquares = 0;

  /** Adds an outcome. It is predicted by the mean of those before it; the first, to pass and to cost nothing. */
  add(cost: number, passed: 0 | 1): void {
    const { outcomes } = this;
    const costMiss = cost - (outcomes === 0 ? 0 : this.cost / outcomes);
    const passMiss = passed - (outcomes === 0 ? 1 : this.passed / outcomes);
    this.outcomes += 1;
    this.cost += cost;
    this.passed += passed;
    this.costSquares += costMiss * costMiss;
    this.products += costMiss * passMiss;
    this.passSquares += passMiss * passMiss;
  }
}

/** Where the cost per pass lies against a ratio, whenever one looks; null: nobody can tell yet. */
export function sideOfRatio(
  sums: CostSums,
  {
    ratio,
    mostCost,
    confidence = 0.95,
  }: { readonly ratio: number; readonly mostCost: number; readonly confidence?: number },
): 'above' | 'below' | null {
  // Within [−ratio, mostCost]; its mean is 0 where the ratio is right.
  const scale = mostCost + ratio;
  const sum = (sums.cost - ratio * sums.passed) / scale;
  const squares = sums.costSquares - 2 * ratio * sums.products + ratio * ratio * sums.passSquares;
  const variance = Math.max(0, squares) / (scale * scale);
  const limit = -Math.log(tailOf(confidence));
  if (sum > 0) return sumIsBeyond(sum, variance, limit) ? 'above' : null;
  return sumIsBeyond(-sum, variance, limit) ? 'below' : null;
}

/**
 * Interval of the cost per pass, mean cost over pass rate, that may be looked at after every outcome: the chance that it
 * *ever* misses is at most 1 − confidence. All ratios r for which the sum of cost − r·passed is within its boundary; each
 * outcome costs between 0 and `mostCost`. The upper end is null where any ratio is possible.
 * Source: as `logSumMartingale`, inverted over r.
 */
export function ratioSequence(
  sums: CostSums,
  { mostCost, confidence = 0.95 }: { readonly mostCost: number; readonly confidence?: number },
): readonly [number, number | null] | null {
  if (sums.outcomes === 0 || mostCost <= 0) return null;
  const sideOf = (ratio: number) => sideOfRatio(sums, { ratio, mostCost, confidence });
  const point = sums.passed === 0 ? null : sums.cost / sums.passed;
  const low = bisected(0, point ?? LARGEST * mostCost, (ratio) => sideOf(ratio) === 'above');
  if (point === null) return [low, null];
  let far = Math.max(2 * point, mostCost / sums.outcomes);
  while (sideOf(far) !== 'below') {
    far *= 2;
    if (far > LARGEST * mostCost) return [low, null];
  }
  return [low, bisected(point, far, (ratio) => sideOf(ratio) !== 'below')];
}

/** A success that costs this many times the most that an outcome may cost is as good as none. */
const LARGEST = 1e6;

/** Where what holds at the low end stops to hold. */
function bisected(low: number, high: number, holds: (ratio: number) => boolean): number {
  let [from, to] = [low, high];
  for (let i = 0; i < 60; i++) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}
