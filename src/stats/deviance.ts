/**
 * x·ln(x / mean) + mean − x without cancellation, for x, mean > 0: half the deviance of a count from its mean.
 * Source: Loader 2000, "Fast and accurate computation of binomial probabilities".
 */
export function deviance(x: number, mean: number): number {
  const difference = x - mean;
  if (Math.abs(difference) >= 0.1 * (x + mean)) return x * Math.log(x / mean) - difference;
  const v = difference / (x + mean);
  let sum = difference * v;
  let power = 2 * x * v;
  for (let j = 3; j < 2000; j += 2) {
    power *= v * v;
    const next = sum + power / j;
    if (next === sum) break;
    sum = next;
  }
  return sum;
}
