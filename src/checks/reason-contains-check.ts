import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** `reason_contains`: text in a failed run's reason or an errored run's message; no other ending has one. */
export function reasonContainsCheck(expected: string): CheckParts {
  return {
    name: 'reason_contains',
    expected,
    wanted: `${showText(expected)} in the reason`,
    onEnding: true,
    holds: (view) => reasonOf(view)?.includes(expected) ?? false,
    got: reasonOf,
    saw: (view) => {
      const reason = reasonOf(view);
      return reason === null ? `no reason: the run ${ENDINGS[view.status]}` : showText(reason);
    },
  };
}

const ENDINGS = {
  completed: 'completed',
  failed: 'failed without one',
  timed_out: 'timed out',
  paused: 'paused',
  errored: 'errored without one',
} as const;

function reasonOf(view: TrialView): string | null {
  return view.status === 'failed' || view.status === 'errored' ? view.reason : null;
}
