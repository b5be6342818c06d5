/** Whole numbers of many trials, as far as they were added up. */
export interface Sums {
  readonly total: number;
  /** Sum of the squares: it may exceed 2^53. */
  readonly squared: bigint;
  readonly trials: number;
}

/** Squared standard error of the mean, exact where the spread is 0; null for fewer than two trials. */
export function squaredErrorOfMean({ total, squared, trials }: Sums): number | null {
  if (trials < 2) return null;
  const spread = BigInt(trials) * squared - BigInt(total) ** 2n;
  return Math.max(0, Number(spread)) / (trials * trials * (trials - 1));
}
