import { assertNumbers, assertRate, tailOf } from '../counts.ts';
import { meanOf, squaresAround } from '../mean.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { dot, fitLogistic, logistic, times, type Vector } from './logistic-fit.ts';

/** One pair as a judge saw it, from the candidate's side. */
export interface LengthPair {
  /** 1: the candidate won; 0: it lost; 0.5: a tie; or the chance that a judge gives. */
  readonly preference: number;
  /** Length of the candidate's answer − length of the other, in any unit. */
  readonly longer: number;
  /** How hard the task is, in any unit and around 0; absent: tasks are taken to be alike. */
  readonly difficulty?: number;
}

/** A preference without what is due to the length of answers. */
export interface LengthControlled {
  /** Mean preference as judged. */
  readonly raw: number;
  /** The mean preference to expect if both answers were always of one length. */
  readonly winRate: number;
  /** Lower and upper bound of the rate. */
  readonly interval: readonly [number, number];
  /** Log-odds that a much longer answer gains (φ); 0: length does not matter. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly slopeError: number;
}

/**
 * Preference with length taken out: logit P = θ + φ·tanh(longer / sd) + ψ·difficulty is fitted, and `longer` set to 0.
 * It cannot tell length from what comes with it, and stops no answer that talks a judge over. Null where there is
 * nothing to fit: without pairs, with one outcome for all of them, or where all differ in length by the same. The ridge
 * on φ and ψ keeps the fit finite. Errors are robust ones, because ties vary less than coins.
 * Source: Dubois and others 2024, arXiv 2404.04475 (AlpacaEval 2); errors: Huber 1967, Proc. 5th Berkeley Symp. 1, 221–233.
 */
export function lengthControlled(
  pairs: readonly LengthPair[],
  { ridge = 1, confidence = 0.95 }: { readonly ridge?: number; readonly confidence?: number } = {},
): LengthControlled | null {
  const z = -normalQuantile(tailOf(confidence));
  if (!(ridge >= LEAST_RIDGE && ridge <= 1e6)) {
    throw new RangeError(`A ridge of ${ridge} is impossible: give a number from ${LEAST_RIDGE} to 1e6.`);
  }
  for (const { preference } of pairs) assertRate(preference);
  const lengths = scaled(pairs.map(({ longer }) => longer));
  const difficulties = scaled(pairs.map(({ difficulty = 0 }) => difficulty));
  const raw = meanOf(pairs.map(({ preference }) => preference));
  if (raw === null || raw <= 0 || raw >= 1) return null;
  if (lengths === null && pairs.some(({ longer }) => longer !== 0)) return null;
  const { weights, covariance } = fitLogistic(
    {
      preferences: Float64Array.from(pairs, ({ preference }) => preference),
      one: Float64Array.from(pairs, (_, at) => Math.tanh(lengths?.[at] ?? 0)),
      other: Float64Array.from(pairs, (_, at) => difficulties?.[at] ?? 0),
    },
    ridge,
  );
  const even = difficulties ?? [0];
  const chances = even.map((difficulty) => logistic(weights[0] + weights[2] * difficulty));
  const winRate = meanOf(chances) ?? raw;
  const slopes = chances.map((chance) => chance * (1 - chance));
  const steepness: Vector = [meanOf(slopes) ?? 0, 0, meanOf(slopes.map((slope, at) => slope * (even[at] ?? 0))) ?? 0];
  const error = Math.sqrt(Math.max(0, dot(steepness, times(covariance, steepness))));
  return {
    raw,
    winRate,
    interval: intervalOfOdds(winRate, z * error),
    slope: weights[1],
    slopeError: Math.sqrt(Math.max(0, covariance[1][1])),
  };
}

/** Below, outcomes that length alone decides would have no finite fit. */
const LEAST_RIDGE = 1e-3;

/** Values in their own standard deviations; null: they are all the same. Their mean stays where it is. */
function scaled(values: readonly number[]): readonly number[] | null {
  assertNumbers('value', values);
  const mean = meanOf(values);
  if (mean === null) return null;
  const deviation = Math.sqrt(squaresAround(values, mean) / values.length);
  return deviation === 0 ? null : values.map((value) => value / deviation);
}

/** Within 0 and 1, however wide: the half is laid on the log-odds. */
function intervalOfOdds(rate: number, half: number): readonly [number, number] {
  const odds = Math.log(rate / (1 - rate));
  const width = half / (rate * (1 - rate));
  return [logistic(odds - width), logistic(odds + width)];
}
