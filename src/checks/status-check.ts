import type { CheckParts } from './make-check.ts';
import { showName } from './show-value.ts';

/** `status`: how the run ended. A word that is no status never matches. */
export function statusCheck(expected: string): CheckParts {
  return {
    name: 'status',
    expected,
    wanted: () => showName(expected),
    onEnding: true,
    holds: (view) => view.status === expected,
    got: (view) => view.status,
    saw: (view) => view.status,
  };
}
