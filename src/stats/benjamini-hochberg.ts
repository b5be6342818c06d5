/**
 * q-values of many tests, in the order given: calling all with q ≤ x real leaves at most a share x of false alarms on
 * average. Source: Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57, 289–300.
 */
export function benjaminiHochberg(pValues: readonly number[]): readonly number[] {
  for (const p of pValues) {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`A p-value of ${p} is impossible: give numbers from 0 to 1.`);
  }
  const descending = pValues.map((p, at) => ({ p, at })).sort((one, other) => other.p - one.p);
  const q = new Array<number>(pValues.length);
  let lowest = 1;
  for (const [place, { p, at }] of descending.entries()) {
    // Never below p itself, which rounding could bring about.
    lowest = Math.min(lowest, p * Math.max(1, pValues.length / (pValues.length - place)));
    q[at] = lowest;
  }
  return q;
}
