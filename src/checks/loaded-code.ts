import { PasskError } from '../errors.ts';
import type { JudgingCode } from '../types/scenarios/code-check.ts';
import { codeKey } from '../types/scenarios/judging-code.ts';

/** Functions of the user, by `codeKey`. */
export type LoadedCode = ReadonlyMap<string, unknown>;

/** The function behind a check or a rule; where these are only named, one that nobody may call. */
export function loadedFunction(code: JudgingCode, loaded: LoadedCode | undefined): unknown {
  return loaded?.get(codeKey(code)) ?? notLoaded;
}

function notLoaded(): never {
  throw new PasskError('INTERNAL', 'The code of a check has not been loaded.');
}
