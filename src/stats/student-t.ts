import { betaQuantileOdds } from './beta-quantile.ts';
import { betaTail } from './incomplete-beta.ts';
import { tailOf } from './counts.ts';
import { normalQuantile } from './normal-quantile.ts';
import { normalTwoSided } from './normal-tail.ts';

/**
 * The chance that |T| is at least |t|, Student's t with `df` degrees of freedom; relative error below 1e-12 in the tail.
 * I_x(df/2, ½) at x = df / (df + t²). Source: NIST DLMF 8.17; Abramowitz and Stegun 26.7.1.
 * Own code: lib-r-math.js 2.0.3 (pt, qt) keeps 8 digits, and gives 0 for t = 6 at 1e9 degrees of freedom.
 */
export function studentTwoSided(t: number, df: number): number {
  assertDegrees(df);
  if (Number.isNaN(t)) throw new RangeError('A t of NaN is impossible: give a number.');
  if (df > NORMAL_FROM) return normalTwoSided(t);
  const square = t * t;
  if (square === 0) return 1;
  if (square === Number.POSITIVE_INFINITY) return 0;
  if (square >= 1) return Math.min(1, Math.exp(betaTail(df / 2, 0.5, df / square).log));
  return -Math.expm1(betaTail(0.5, df / 2, square / df).log);
}

/** The chance that T is at least t. */
export function studentTail(t: number, df: number): number {
  const half = studentTwoSided(t, df) / 2;
  return t >= 0 ? half : 1 - half;
}

/** The t that |T| stays below with chance `confidence`: the half-width of a two-sided interval, in standard errors. */
export function studentQuantile(confidence: number, df: number): number {
  assertDegrees(df);
  const outside = 2 * tailOf(confidence);
  if (df > NORMAL_FROM) return -normalQuantile(outside / 2);
  if (outside <= studentTwoSided(1, df)) return Math.sqrt(df / betaQuantileOdds(df / 2, 0.5, outside, df / 4));
  return Math.sqrt(df * betaQuantileOdds(0.5, df / 2, confidence, 0.25 / df));
}

/** With so many degrees of freedom a t differs from a normal variable by less than a double tells. */
const NORMAL_FROM = 1e16;

function assertDegrees(df: number): void {
  if (df >= 1 && df < Number.POSITIVE_INFINITY) return;
  throw new RangeError(`Student's t with ${df} degrees of freedom is impossible: give a number from 1.`);
}
