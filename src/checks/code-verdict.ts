import { PasskError } from '../errors.ts';
import type { NamedVerdict } from '../plugin/trial-check.ts';
import { isRecord } from '../values/is-json.ts';
import { failedText } from '../values/thrown-at.ts';

/**
 * What is wrong by a check of the user; []: nothing. `judge` calls the check, and `called` is its name in messages. Throws
 * `PLUGIN` where it fails or gives no verdict, which says nothing of the subject.
 */
export function problemsBy(judge: () => unknown, called: string): readonly string[] {
  let verdict: unknown;
  try {
    verdict = judge();
  } catch (cause) {
    throw new PasskError('PLUGIN', `The check ${called} ${failedText(cause, new Error('here'))}`, { cause });
  }
  if (verdict === true) return [];
  if (typeof verdict === 'string' && verdict !== '') return [verdict];
  // A list without a verdict would pass whatever happened.
  if (Array.isArray(verdict) && verdict.length > 0 && verdict.every(isNamedVerdict)) {
    return verdict
      .filter(({ passed }) => !passed)
      .map(({ name, reason }) => (reason === undefined ? name : `${name}: ${reason}`));
  }
  throw new PasskError('PLUGIN', `The check ${called} gave ${shownVerdict(verdict)}, which is no verdict.`, {
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

/** What code of the user gave in place of a verdict, in words. */
export function shownVerdict(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list of something else';
  return value === null || typeof value !== 'object' ? String(value) : 'an object';
}
