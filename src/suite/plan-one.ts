import { PasskError } from '../errors.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { Sampler, Scenario } from '../types/scenario.ts';
import { loadFor, requireLoaded } from './load-suite.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from './options.ts';
import { planRun } from './plan.ts';

export interface PlannedOne extends Omit<RunPlan, 'scenarios'> {
  /** As the file says, the sampler included. */
  readonly scenario: Scenario;
  readonly planned: ScenarioPlan;
  readonly options: ResolvedRunOptions;
}

/** The plan of one scenario file; `sampler` wins over the file's own. Rejects as `runSuite` does. */
export async function planOne(file: string, given: RunSuiteOptions, sampler?: Sampler): Promise<PlannedOne> {
  const options = resolveRunOptions({ ...given, paths: [file] });
  const input = await loadFor(options);
  requireLoaded(input, { keepGoing: false });
  const [scenario, ...others] = input.suite.scenarios;
  if (scenario === undefined || others.length > 0) {
    throw new PasskError('USAGE', `${file} is not one scenario file.`, { hint: 'Name a single .toml file.' });
  }
  const wanted = sampler === undefined ? scenario : { ...scenario, sampler };
  const { scenarios, ...plan } = planRun({ ...input, scenarios: [wanted] }, options);
  const [planned] = scenarios;
  if (planned === undefined) throw new PasskError('INTERNAL', 'The scenario was not planned.');
  return { ...plan, scenario, planned, options };
}
