import type { LoadedModules } from '../../checks/loaded-function.ts';
import type { GrantedEffects } from '../../effects/granted/create-effects.ts';
import { PasskError } from '../../errors.ts';
import { exportedFunction } from '../../plugin/import-module.ts';
import type { Scenario } from '../../types/scenario.ts';
import { judgingModules, moduleKey } from '../../types/scenarios/judging-modules.ts';

/** The functions of the user that judge the trials of a scenario, by `moduleKey`. Throws where one cannot be had. */
export async function loadChecks(
  { expected, file: scenarioFile }: Scenario,
  moduleUrl: GrantedEffects['moduleUrl'] | null,
): Promise<LoadedModules> {
  const loaded = new Map<string, unknown>();
  for (const module of judgingModules(expected)) {
    const { file, exported } = module;
    if (moduleUrl === null) throw new PasskError('USAGE', `The module ${file} is not granted.`);
    const url = moduleUrl(file, scenarioFile);
    loaded.set(moduleKey(module), await exportedFunction({ url, file, exported }, 'The check'));
  }
  return loaded;
}
