import type { ProgramInfo } from '../trial/program.ts';
import type { Tally } from '../trial/tally.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { ScenarioReport } from '../types/report.ts';

/**
 * What is declared besides a scenario itself: what goes wrong around it, and the contract that it is a part of. Null:
 * nothing.
 */
export function declaredParts(
  { scenario }: ScenarioPlan,
  { faults }: ProgramInfo,
  { fired }: Tally,
): Pick<ScenarioReport, 'chaos' | 'contract'> | null {
  if (faults.length === 0 && scenario.contract === undefined) return null;
  return {
    ...(faults.length > 0 && { chaos: faults.map((fault, i) => ({ fault, fired: fired[i] ?? 0 })) }),
    ...(scenario.contract !== undefined && { contract: scenario.contract }),
  };
}
