import type { ComparedRun } from '../../baseline/compared-run.ts';
import { MAX_SHOWN, type Tally } from '../../trial/tally/tally.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { SessionTrail } from '../../types/sessions/session-trail.ts';
import { scenarioKey } from '../../values/scenario-key.ts';

/**
 * A run as it is compared, with the trials of each scenario that failed first, and what the first of its sessions called.
 * Baselines do not keep that: who failed is no measure.
 */
export function withFailedTrials(
  run: ComparedRun,
  { plan, tallies }: { readonly plan: RunPlan; readonly tallies: readonly Tally[] },
): ComparedRun {
  const found = new Map(
    plan.scenarios.flatMap(({ index, scenario }) => {
      const { lowestFailed = [], sessions = null } = tallies[index] ?? {};
      const failed: Failed = { first: lowestFailed.slice(0, MAX_SHOWN), trail: sessions?.failedTrail ?? null };
      return failed.first.length === 0 && failed.trail === null ? [] : [[scenarioKey(scenario), failed] as const];
    }),
  );
  if (found.size === 0) return run;
  const scenarios = run.scenarios.map((one) => {
    const { first = [], trail = null } = found.get(scenarioKey(one)) ?? {};
    return { ...one, ...(first.length > 0 && { failedFirst: first }), calls: { ...one.calls, failed: trail } };
  });
  return { ...run, scenarios };
}

interface Failed {
  readonly first: readonly number[];
  readonly trail: SessionTrail | null;
}
