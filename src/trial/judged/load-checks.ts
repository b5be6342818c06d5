import type { GrantedEffects } from '../../effects/granted/create-effects.ts';
import { PasskError } from '../../errors.ts';
import { exportedFunction } from '../../plugin/import-module.ts';
import type { TrialCheck } from '../../plugin/trial-check.ts';
import type { ScenarioPlan } from '../../types/plan.ts';

/** The functions of the user that judge the trials of a plan, by the names of their checks. Throws where one cannot be had. */
export async function loadChecks(
  { scenario }: ScenarioPlan,
  moduleUrl: GrantedEffects['moduleUrl'] | null,
): Promise<ReadonlyMap<string, TrialCheck>> {
  const loaded = new Map<string, TrialCheck>();
  for (const { name, file, exported } of scenario.expected.modules ?? []) {
    if (moduleUrl === null) throw new PasskError('USAGE', `The module ${file} is not granted.`);
    const url = moduleUrl(file, scenario.file);
    loaded.set(name, (await exportedFunction({ url, file, exported }, 'The check')) as TrialCheck);
  }
  return loaded;
}
