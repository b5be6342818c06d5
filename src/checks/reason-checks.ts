import { compilePattern } from '../matching/compile-pattern.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** `reason_contains`: text in a failed run's reason or an errored run's message; no other ending has one. */
export function reasonContainsCheck(expected: string): CheckParts {
  const wanted = `${showText(expected)} in the reason`;
  return reasonCheck('reason_contains', expected, { wanted, fits: (reason) => reason.includes(expected) });
}

/** `reason_equals`: the whole reason or message. */
export function reasonEqualsCheck(expected: string): CheckParts {
  return reasonCheck('reason_equals', expected, { wanted: showText(expected), fits: (reason) => reason === expected });
}

/** `reason_matches`: a pattern that occurs in the reason or message. */
export function reasonMatchesCheck(expected: string): CheckParts {
  const wanted = `a match of ${showText(expected)} in the reason`;
  return reasonCheck('reason_matches', expected, { wanted, fits: compilePattern(expected, 'reason_matches') });
}

interface ReasonTest {
  readonly wanted: string;
  readonly fits: (reason: string) => boolean;
}

function reasonCheck(name: string, expected: string, { wanted, fits }: ReasonTest): CheckParts {
  return {
    name,
    expected,
    wanted,
    onEnding: true,
    holds: (view) => {
      const reason = reasonOf(view);
      return reason !== null && fits(reason);
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
