/** Pass counts, both included, for which a gate passes. */
export type CountRange = readonly [least: number, most: number];

/** What is known so far of a planned number of trials. */
export interface SoFar {
  readonly trials: number;
  readonly passed: number;
  readonly failed: number;
}

/**
 * The verdict that no trial still to come (or of unknown result) can change, or null while one can: the same verdict as
 * the full run. Null range: no count passes. Source: deterministic curtailment; release-gate F-17.
 */
export function curtailed({ trials, passed, failed }: SoFar, passing: CountRange | null): 'pass' | 'fail' | null {
  if (passing === null) return 'fail';
  const [least, most] = passing;
  const best = trials - failed;
  if (best < least || passed > most) return 'fail';
  return passed >= least && best <= most ? 'pass' : null;
}

/** A decision and how many trials it took. */
export interface Decided<D> {
  readonly decision: D;
  readonly trials: number;
}

/**
 * The smallest prefix of the verdicts, in trial order, that decides; null when none does. What other trials found, or
 * found earlier, plays no part: the stop is the same for any number of workers.
 */
export function firstDecided<D>(
  verdicts: Iterable<boolean>,
  decide: (passed: number, failed: number) => D | null,
): Decided<D> | null {
  let passed = 0;
  let failed = 0;
  for (const verdict of verdicts) {
    if (verdict) passed++;
    else failed++;
    const decision = decide(passed, failed);
    if (decision !== null) return { decision, trials: passed + failed };
  }
  return null;
}
