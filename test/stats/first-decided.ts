/** A decision and how many trials it took. */
interface Decided<D> {
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
