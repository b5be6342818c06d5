import { faultKinds, unreadFaults } from '../faults/chaos/fault-labels.ts';
import type { ProgramInfo } from '../trial/program-info.ts';
import type { Tally } from '../trial/tally/tally.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { JudgedScenario } from '../types/reports/scenario-report.ts';

/**
 * What is declared besides a scenario itself: what goes wrong around it, and how often its invariants could be judged.
 * Null: nothing.
 */
export function declaredParts(
  { scenario }: ScenarioPlan,
  info: ProgramInfo,
  { strikes }: Tally,
): Pick<JudgedScenario, 'chaos' | 'calls' | 'rulings'> | null {
  const { faults } = scenario;
  if (faults.chaos === undefined && strikes.rulings.length === 0) return null;
  const kinds = faults.chaos === undefined ? [] : faultKinds(faults.chaos);
  const unread = faults.chaos === undefined ? [] : unreadFaults(faults.chaos);
  return {
    ...(kinds.length > 0 && {
      chaos: kinds.map((kind, i) => ({
        fault: info.faults[i] ?? '',
        kind,
        fired: strikes.fired[i] ?? 0,
        trials: strikes.trials[i] ?? 0,
        ...(unread[i] === true && { unread: true }),
      })),
      calls: [...strikes.calls].sort(),
    }),
    ...(strikes.rulings.length > 0 && {
      rulings: info.checks.map((check, at) => ({ check, ...strikes.rulingsOf(at) })),
    }),
  };
}
