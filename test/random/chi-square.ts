/** Pearson's sum for counts that are all expected to be the same. */
export function pearson(observed: readonly number[], expected: number): number {
  return observed.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** Bound for chi-square with `df` degrees of freedom at z standard deviations (Wilson and Hilferty, 1931). */
export function chiSquareBound(df: number, z = 4.5): number {
  return df * (1 - 2 / (9 * df) + z * Math.sqrt(2 / (9 * df))) ** 3;
}
