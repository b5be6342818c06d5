import type { RunPlan } from '../types/plan.ts';
import { withBaselines } from './contract-baselines.ts';
import { gateTargets } from './gate-targets.ts';
import { loadFor, requireLoaded, type SuiteInput } from './load-suite.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { requireGates } from '../settings/resolve-gates.ts';
import { planRun } from './plan.ts';
import { progressRows, type RowsOf } from './progress-rows.ts';

/** What will be run, and what has a line of its own in its progress. */
export interface PreparedRun {
  readonly input: SuiteInput;
  readonly plan: RunPlan;
  readonly rowsOf: RowsOf | null;
}

/** The first two verbs: what will be run. Throws when nothing can be. */
export async function prepareRun(options: ResolvedRunOptions): Promise<PreparedRun> {
  const input = await loadFor(options, { isOwn: true });
  requireLoaded(input, options);
  const { scenarios, issues, definitions } = input.suite;
  const standalone = scenarios.filter(({ part }) => part === undefined);
  requireGates(options.gates, gateTargets(scenarios, definitions));
  options.onProgress({ kind: 'loaded', scenarios: standalone.length, issues });
  const planned = planRun({ ...input, scenarios, definitions }, options);
  const plan = await withBaselines(planned, options);
  return { input, plan, rowsOf: await progressRows(plan, { kinds: input.kinds, definitions }) };
}

export function totalTrials(plan: RunPlan): number {
  return plan.scenarios.reduce((sum, scenario) => sum + scenario.trials, 0);
}
