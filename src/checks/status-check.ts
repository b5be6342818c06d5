import { Recent } from '../values/recent.ts';
import { type CheckParts, inCommon } from './make-check.ts';
import { showName } from './show-value.ts';

const recent = new Recent<CheckParts>(4);

/** `status`: how the run ended. A word that is no status never matches. */
export function statusCheck(expected: string): CheckParts {
  return recent.find((one) => one.expected === expected) ?? recent.keep(inCommon(partsFor(expected)));
}

function partsFor(expected: string): CheckParts {
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
