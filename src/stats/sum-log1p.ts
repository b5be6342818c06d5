/**
 * Σ ln(1 − taken / (trials − i)) for i < factors: the logarithm of C(trials − taken, factors) / C(trials, factors).
 * Compensated summation (Neumaier 1974); stops early below `floor`, where the caller's answer no longer changes.
 */
export function sumLog1p(trials: number, taken: number, factors: number, floor: number): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < factors && sum > floor; i++) {
    const term = Math.log1p(-taken / (trials - i));
    const next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  return sum + lost;
}
