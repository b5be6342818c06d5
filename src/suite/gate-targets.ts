import type { GateTargets } from '../gate/check-gate.ts';
import type { Scenario } from '../types/scenario.ts';
import type { DefinitionBase } from '../types/suite-base.ts';

/** True: gates, baselines and histories look at it, as a scenario that stands for itself or as a cell of a matrix. */
export function standsAlone({ part }: Pick<Scenario, 'part'>): boolean {
  return part === undefined || part.names !== undefined;
}

/** What gates may name in a run of these. */
export function gateTargets(
  scenarios: readonly Pick<Scenario, 'name' | 'part'>[],
  definitions: readonly DefinitionBase[],
): GateTargets {
  return {
    scenarios: scenarios.filter(standsAlone).map(({ name }) => name),
    cells: [...scenarios.flatMap(({ part }) => part?.names ?? []), ...definitions.flatMap(({ unrun = [] }) => unrun)],
  };
}
