import type { ComparedRun } from '../../baseline/compared-run.ts';
import type { Tally } from '../../trial/tally.ts';
import type { RunPlan } from '../../types/plan.ts';

/** A run as it is compared, with what each session called that failed first. Baselines do not keep that: who failed is no measure. */
export function withFailedTrails(
  run: ComparedRun,
  { plan, tallies }: { readonly plan: RunPlan; readonly tallies: readonly Tally[] },
): ComparedRun {
  const failed = new Map(
    plan.scenarios.flatMap(({ index, scenario }) => {
      const trail = tallies[index]?.sessions?.failedTrail ?? null;
      return trail === null ? [] : [[keyOf(scenario), trail] as const];
    }),
  );
  if (failed.size === 0) return run;
  const scenarios = run.scenarios.map((one) => {
    return { ...one, calls: { ...one.calls, failed: failed.get(keyOf(one)) ?? null } };
  });
  return { ...run, scenarios };
}

function keyOf({ name, file }: { readonly name: string; readonly file: string | null }): string {
  return JSON.stringify([name, file]);
}
