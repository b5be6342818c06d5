import type { CheckParts } from './make-check.ts';
import { showName } from './show-value.ts';

/** `stopped_by`: what made the run end where it did. */
export function stoppedByCheck(expected: string): CheckParts {
  return {
    name: 'stopped_by',
    expected,
    wanted: () => showName(expected),
    onEnding: true,
    holds: (view) => view.stoppedBy === expected,
    got: (view) => view.stoppedBy,
    saw: (view) => view.stoppedBy,
  };
}
