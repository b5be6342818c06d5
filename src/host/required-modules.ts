import path from 'node:path';
import { refuseModule } from '../effects/granted/granted-programs.ts';
import type { HasFilePlaces } from '../types/check-places.ts';
import type { Permissions } from '../types/permissions.ts';
import type { RunPlan } from '../types/plan.ts';
import { factsOf } from '../types/subjects.ts';
import { Missing } from '../source/missing.ts';

/**
 * Throws `USAGE` with every module of an agent, a world or a check that the user has not granted, before anything is run. Workers
 * look once more before they load one.
 */
export function requireModules(
  { scenarios }: RunPlan,
  { permissions: { run }, filePlaces }: HasFilePlaces & { readonly permissions: Permissions },
): void {
  const missing = new Missing();
  for (const { scenario, folder: root } of scenarios) {
    if (root === undefined) continue;
    const folder = path.dirname(path.resolve(root, scenario.file));
    for (const file of factsOf(scenario.subject).modules(scenario)) {
      const refused = refuseModule(run, path.resolve(root, file), folder);
      if (refused === null) continue;
      const at = filePlaces?.ofFile(scenario, file);
      missing.add({ message: refused, ...(at !== undefined && { at }) });
    }
  }
  missing.refuse();
}
