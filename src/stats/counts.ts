/** Continued fractions take about √trials steps: beyond, they neither end soon nor keep their digits. */
const MOST_TRIALS = 1e12;
/** Squares of squares of larger numbers are beyond a double. */
export const LARGEST = 1e60;
/** Far below any chance that matters, and far above what a double rounds to 0. */
export const SMALLEST = 1e-100;

/** Throws unless the counts are possible: whole numbers with 0 ≤ passed ≤ trials ≤ 1e12. */
export function assertCounts(trials: number, passed: number): void {
  if (!(Number.isSafeInteger(trials) && Number.isSafeInteger(passed) && passed >= 0 && passed <= trials)) {
    throw new RangeError(
      `${passed} passed of ${trials} trials is impossible: give whole numbers, 0 ≤ passed ≤ trials.`,
    );
  }
  if (trials > MOST_TRIALS) throw new RangeError(`${trials} trials are too many: give at most 1e12.`);
}

/** Throws unless so many of the pairs can have been lost and gained. */
export function assertPairs(pairs: number, lost: number, gained: number): void {
  assertCounts(pairs, lost);
  assertCounts(pairs, gained);
  assertCounts(pairs, lost + gained);
}

/** Throws unless the number is a whole one from `least` to `most`. */
export function assertWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${name} = ${value} is impossible: give a whole number from ${least} to ${most}.`);
}

/** Throws unless the rate is a number from 0 to 1. */
export function assertRate(rate: number): void {
  if (rate >= 0 && rate <= 1) return;
  throw new RangeError(`A rate of ${rate} is impossible: give a number from 0 to 1.`);
}

/** Throws unless the chance is a number between 0 and 1, neither included. */
export function assertChance(name: string, chance: number): void {
  if (chance >= SMALLEST && chance < 1) return;
  throw new RangeError(`${name} = ${chance} is impossible: give a number between 0 and 1.`);
}

/** Throws unless every value is a number from -1e60 to 1e60; `least`: 0 where none may be negative. */
export function assertNumbers(name: string, values: readonly number[], least = Number.NEGATIVE_INFINITY): void {
  for (const value of values) {
    if (value >= Math.max(least, -LARGEST) && value <= LARGEST) continue;
    const which = least === 0 ? 'from 0 to 1e60' : 'from -1e60 to 1e60';
    throw new RangeError(`A ${name} of ${value} is impossible: give numbers ${which}.`);
  }
}

/** Throws unless k is a whole number from 1. */
export function assertK(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new RangeError(`k = ${k} is impossible: give a whole number from 1.`);
}

/** Half of what a two-sided interval leaves out; throws unless confidence is from 1e-9 to just below 1. */
export function tailOf(confidence: number): number {
  // Below, the chance to be outside is 1 in a double, and no quantile follows from it.
  if (confidence >= 1e-9 && confidence < 1) return (1 - confidence) / 2;
  throw new RangeError(`A confidence of ${confidence} is impossible: give a number between 0 and 1, such as 0.95.`);
}
