import { PasskError } from '../errors.ts';
import { moduleKey } from '../types/scenarios/judging-modules.ts';
import type { JudgingModule } from '../types/scenarios/module-check.ts';

/** Functions of the user, by `moduleKey`. */
export type LoadedModules = ReadonlyMap<string, unknown>;

/** The function behind a check or a rule; where these are only named, one that nobody may call. */
export function loadedFunction(module: JudgingModule, modules: LoadedModules | undefined): unknown {
  return modules?.get(moduleKey(module)) ?? notLoaded;
}

function notLoaded(): never {
  throw new PasskError('INTERNAL', 'The module of a check has not been loaded.');
}
