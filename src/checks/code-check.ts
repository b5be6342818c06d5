import { PasskError } from '../errors.ts';
import type { TrialCheck } from '../plugin/trial-check.ts';
import type { TrialRecord } from '../types/record.ts';
import type { CodeCheck } from '../types/scenarios/code-check.ts';
import { codeName } from '../types/scenarios/judging-code.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { problemsBy } from './code-verdict.ts';
import { showText } from './show-value.ts';

/** One of `checks`: a function of the user, which is called once for each trial. */
export function codeCheck(code: CodeCheck, check: TrialCheck): CheckParts {
  const called = codeName(code);
  let last: TrialRecord | null = null;
  let problems: readonly string[] = [];
  const problemsOf = (view: TrialView): readonly string[] => {
    const record = view.record?.() ?? null;
    if (record === null) throw new PasskError('INTERNAL', `The check ${called} has no record to look at.`);
    if (record !== last) {
      problems = problemsBy(() => check(freezeDeep(structuredClone(record))), called);
      last = record;
    }
    return problems;
  };
  return {
    name: code.name,
    expected: true,
    wanted: 'it to be right',
    holds: (view) => problemsOf(view).length === 0,
    got: problemsOf,
    saw: (view) => problemsOf(view).map(showText).join('; ') || 'it right',
    says: (view) => problemsOf(view).join('; '),
  };
}
