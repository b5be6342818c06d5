import { PasskError } from '../errors.ts';
import type { CommandCheck } from '../types/sessions/session-check.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** One of `commands`: a program of the user, which has been run when the session had ended. */
export function commandCheck({ name }: CommandCheck): CheckParts {
  const problemOf = (view: TrialView): string | null => {
    const said = view.record?.().session?.commands?.find(({ check }) => check === name);
    if (said === undefined) throw new PasskError('INTERNAL', `Nothing is known of what ${showText(name)} said.`);
    return said.problem;
  };
  return {
    name,
    expected: true,
    wanted: 'it to be right',
    holds: (view) => problemOf(view) === null,
    got: problemOf,
    saw: (view) => problemOf(view) ?? 'it right',
    says: (view) => problemOf(view) ?? 'it is right',
  };
}
