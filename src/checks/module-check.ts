import { PasskError } from '../errors.ts';
import type { NamedVerdict, TrialCheck } from '../plugin/trial-check.ts';
import type { TrialRecord } from '../types/record.ts';
import type { ModuleCheck } from '../types/scenarios/module-check.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { isRecord } from '../values/is-json.ts';
import { messageOf } from '../values/message-of.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** One of `checks`: a function of the user, which is called once for each trial. */
export function moduleCheck({ name, file }: ModuleCheck, check: TrialCheck): CheckParts {
  let last: TrialRecord | null = null;
  let problems: readonly string[] = [];
  const problemsOf = (view: TrialView): readonly string[] => {
    const record = view.record?.() ?? null;
    if (record === null) throw new PasskError('INTERNAL', `The check of ${file} has no record to look at.`);
    if (record !== last) {
      problems = verdictOf(check, record, file);
      last = record;
    }
    return problems;
  };
  return {
    name,
    expected: true,
    wanted: 'it to be right',
    holds: (view) => problemsOf(view).length === 0,
    got: problemsOf,
    saw: (view) => problemsOf(view).map(showText).join('; ') || 'it right',
    says: (view) => problemsOf(view).join('; '),
  };
}

/** What is wrong by a check; []: nothing. Throws `PLUGIN` where it fails or gives no verdict, which says nothing of the subject. */
function verdictOf(check: TrialCheck, record: TrialRecord, file: string): readonly string[] {
  let verdict: unknown;
  try {
    verdict = check(freezeDeep(structuredClone(record)));
  } catch (cause) {
    throw new PasskError('PLUGIN', `The check of ${file} failed: ${messageOf(cause)}`, { cause });
  }
  if (verdict === true) return [];
  if (typeof verdict === 'string' && verdict !== '') return [verdict];
  // A list without a verdict would pass whatever happened.
  if (Array.isArray(verdict) && verdict.length > 0 && verdict.every(isNamedVerdict)) {
    return verdict
      .filter(({ passed }) => !passed)
      .map(({ name, reason }) => (reason === undefined ? name : `${name}: ${reason}`));
  }
  throw new PasskError('PLUGIN', `The check of ${file} gave ${shown(verdict)}, which is no verdict.`, {
    hint: 'It gives at once true, a text that says what is wrong, or a list of { name, passed }.',
  });
}

function isNamedVerdict(value: unknown): value is NamedVerdict {
  if (!isRecord(value)) return false;
  const { name, passed, reason } = value;
  return (
    typeof name === 'string' && typeof passed === 'boolean' && (reason === undefined || typeof reason === 'string')
  );
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list of something else';
  return value === null || typeof value !== 'object' ? String(value) : 'an object';
}
