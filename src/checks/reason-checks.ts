import type { TextMatch } from '../types/mock.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';
import { compileTextTest } from './text-test.ts';

/** `reason_equals` and its like: of a failed run's reason or an errored run's message; no other ending has one. */
export function reasonCheck(name: string, match: TextMatch): CheckParts {
  const { expected, wanted, holds } = compileTextTest(match, name, 'the reason');
  return {
    name,
    expected,
    wanted,
    onEnding: true,
    holds: (view) => {
      const reason = reasonOf(view);
      return reason !== null && holds(reason);
    },
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
