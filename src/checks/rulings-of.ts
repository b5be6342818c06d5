import type { Check, TrialView } from './check.ts';
import { RULING } from './ruling.ts';

/** What each check made of a trial, as sums of `RULING` bits; of a check that gives no rulings, whether it holds. */
export function rulingsOf(checks: readonly Check[], view: TrialView): readonly number[] {
  return checks.map((check) => check.ruling?.(view) ?? (check.holds(view) ? 0 : RULING.disobeyed));
}

/** Positions of the checks that were disobeyed; null: none was. */
export function disobeyedIn(rulings: readonly number[]): readonly number[] | null {
  let failed: number[] | null = null;
  for (let i = 0; i < rulings.length; i++) {
    if (((rulings[i] as number) & RULING.disobeyed) === 0) continue;
    if (failed === null) failed = [i];
    else failed.push(i);
  }
  return failed;
}
