/**
 * The chance that a standard normal variable exceeds z; relative error below 1e-14, also far out.
 * Series for |z| < 2 (Marsaglia 2004, J. Stat. Software 11(4)), else the continued fraction of Mills' ratio
 * (NIST DLMF 7.9.3). Own code: simple-statistics 7.12.1 reads a table with four digits and gives 0.001 at z = 5.
 */
export function normalTail(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('A z of NaN is impossible: give a number.');
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 2) return 0.5 - density * centreSeries(z);
  return density / millsFraction(z);
}

/** Two-sided p-value of a z statistic. */
export function normalTwoSided(z: number): number {
  return Math.min(1, 2 * normalTail(Math.abs(z)));
}

/** z + z³/3 + z⁵/(3·5) + … */
function centreSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > 1e-17 * sum; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/** z + 1/(z + 2/(z + 3/(z + …))), from the inside out. */
function millsFraction(z: number): number {
  let value = z;
  for (let i = Math.ceil(40 + 600 / (z * z)); i >= 1; i--) value = z + i / value;
  return value;
}
