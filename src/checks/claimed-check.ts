import type { CheckParts } from './make-check.ts';

/** The check that stands for the verdict of whoever ran a recorded trial. */
export const CLAIMED = 'verdict';

/** A recorded trial passes if its source says so. Without a verdict of the source it fails. */
export function claimedCheck(): CheckParts {
  return {
    name: CLAIMED,
    expected: true,
    wanted: 'a trial that passed where it ran',
    holds: (view) => view.claimed()?.verdict === 'pass',
    got: (view) => view.claimed()?.got ?? null,
    saw: (view) => view.claimed()?.message ?? 'no verdict',
    says: (view) => view.claimed()?.message ?? 'the source gives no verdict',
  };
}
