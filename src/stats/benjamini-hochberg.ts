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

/** A two-sided p-value, twice the smaller tail, and where the change went: below 0, 0 or above. */
export interface DirectedTest {
  /** The test's p value. */
  readonly p: number;
  /** Below 0: it fell; above 0: it rose. */
  readonly direction: number;
}

/**
 * Two-sided q-values, falls and rises each corrected for themselves: of runs in which nothing has changed, at most a
 * share x / 2 shows any fall with q ≤ x, and as few show a rise.
 */
export function directedBenjaminiHochberg(tests: readonly DirectedTest[]): readonly number[] {
  const side = (sign: number): readonly number[] =>
    benjaminiHochberg(tests.map(({ p, direction }) => (Math.sign(direction) === sign ? p / 2 : 1)));
  const falls = side(-1);
  const rises = side(1);
  return tests.map((_, i) => Math.min(1, 2 * Math.min(falls[i] ?? 1, rises[i] ?? 1)));
}
