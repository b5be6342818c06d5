import type { RunPlan } from '../types/plan.ts';
import { withBaselines } from './contract-baselines.ts';
import { loadFor, requireLoaded, type SuiteInput } from './load-suite.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { requireGates } from '../settings/resolve-gates.ts';
import { planRun } from './plan.ts';

/** The first two verbs: what will be run. Throws when nothing can be. */
export async function prepareRun(
  options: ResolvedRunOptions,
): Promise<{ readonly input: SuiteInput; readonly plan: RunPlan }> {
  const input = await loadFor(options, { isOwn: true });
  requireLoaded(input, options);
  const { scenarios, issues } = input.suite;
  const own = scenarios.filter(({ part }) => part === undefined);
  requireGates(
    options.gates,
    own.map(({ name }) => name),
  );
  options.onProgress({ kind: 'loaded', scenarios: own.length, issues });
  const plan = planRun({ ...input, scenarios, definitions: input.suite.definitions }, options);
  return { input, plan: await withBaselines(plan, options) };
}

export function totalTrials(plan: RunPlan): number {
  return plan.scenarios.reduce((sum, scenario) => sum + scenario.trials, 0);
}
