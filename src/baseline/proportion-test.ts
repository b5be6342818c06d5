import { fisherExact } from '../stats/fisher-exact.ts';
import { type Run, twoProportions } from '../stats/two-proportions.ts';

/** Fewer than so many expected in some cell: the normal approximation does not hold. */
const FEW = 10;

/** The test of two independent runs that holds at their size; null when a run has no trials. */
export function proportionTest(
  before: Run,
  after: Run,
): { readonly test: 'fisher' | 'two_proportions'; readonly p: number } | null {
  const trials = before.trials + after.trials;
  const passed = before.passed + after.passed;
  const rarest = (Math.min(before.trials, after.trials) * Math.min(passed, trials - passed)) / trials;
  if (rarest >= FEW) {
    const result = twoProportions(before, after);
    return result === null ? null : { test: 'two_proportions', p: result.p };
  }
  const p = fisherExact(before, after);
  return p === null ? null : { test: 'fisher', p };
}
