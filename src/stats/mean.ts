/** Compensated sum (Neumaier 1974): does not lose small values beside large ones. */
export function sumOf(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Arithmetic mean; null without values. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : sumOf(values) / values.length;
}

/** Sum of squared distances from the mean, in two passes; 0 when all values are the same. */
export function squaresAround(values: readonly number[], mean: number): number {
  // The mean of equal values may differ from them by rounding, which is no spread.
  if (values.every((value) => value === values[0])) return 0;
  return sumOf(values.map((value) => (value - mean) ** 2));
}
