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
