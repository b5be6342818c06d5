import { deviance } from './deviance.ts';
import { stirlingRemainder } from './stirling-remainder.ts';

/** A tail of the beta distribution, in the factors that Newton steps need. */
export interface BetaTail {
  /** ln I_x(a, b). */
  readonly log: number;
  /** I_x(a, b) over x^a·(1−x)^b / B(a, b): the inverse slope of `log` by the log-odds of x. */
  readonly ratio: number;
}

/**
 * The regularised incomplete beta function I_x(a, b) at x = odds / (1 + odds), for a, b ≥ ½ up to 1e9 and beyond,
 * on the side where it is a tail: x not far above a / (a + b). Relative error below 1e-12.
 * Continued fraction: Didonato and Morris 1992, Algorithm 708, ACM TOMS 18, 360–373, equation (9).
 */
export function betaTail(a: number, b: number, odds: number): BetaTail {
  const x = odds / (1 + odds);
  const y = 1 / (1 + odds);
  const ratio = continuedFraction(a, b, x, y);
  return { log: logPrefactor(a, b, x, y) + Math.log(ratio), ratio };
}

/** ln of x^a·y^b / B(a, b) by saddle-point deviances: differences of log-gammas would lose ten digits at 1e9. */
function logPrefactor(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const remainders = stirlingRemainder(n) - stirlingRemainder(a) - stirlingRemainder(b);
  return 0.5 * Math.log((a * (b / n)) / (2 * Math.PI)) + remainders - deviance(a, n * x) - deviance(b, n * y);
}

function continuedFraction(a: number, b: number, x: number, y: number): number {
  // The smaller of x and y carries the digits of the difference.
  const c = 1 + (a > b ? (a + b) * y - b : a - (a + b) * x);
  const c0 = b / a;
  const c1 = 1 + 1 / a;
  let p = 1;
  let s = a + 1;
  // The last convergent and the one before it, scaled so that the last denominator is 1.
  let olderTop = 0;
  let olderBottom = c1 / c;
  let top = c1 / c;
  for (let n = 1; n <= MOST_TERMS; n++) {
    const w = n * (b - n) * x;
    const e = a / s;
    const alpha = p * (p + c0) * e * e * w * x;
    const t = n / a;
    const beta = n + w / s + ((1 + t) / (c1 + t + t)) * (c + n * (1 + y));
    p = 1 + t;
    s += 2;
    const nextTop = alpha * olderTop + beta * top;
    const nextBottom = alpha * olderBottom + beta;
    const next = nextTop / nextBottom;
    const settled = Math.abs(next - top) <= 1e-16 * next;
    olderTop = top / nextBottom;
    olderBottom = 1 / nextBottom;
    top = next;
    if (settled) break;
  }
  return top;
}

/** Far above what 1e9 trials take. */
const MOST_TERMS = 1_000_000;
