import type { TrialCounts } from '../types/suite-summary.ts';
import type { NotRunScenario } from '../types/scenario-report.ts';
import type { FoldScenarioInput } from './fold.ts';

/** What the report of a scenario says of it whether it ran or not. */
export function foldHead({
  plan: { scenario, traits, effects },
  seed,
}: Pick<FoldScenarioInput, 'plan' | 'seed'>): Omit<NotRunScenario, 'verdict' | 'sampler' | 'trials'> {
  return {
    name: scenario.name,
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    capabilities: scenario.capabilities,
    pure: traits.repeatable,
    ...(effects !== undefined && { effects }),
    seed: scenario.seed ?? seed,
    minPassRate: scenario.minPassRate,
  };
}

/** The counts of a scenario of which no trial was run. */
export const NO_TRIALS: TrialCounts = {
  requested: 0,
  executed: 0,
  deduplicated: 0,
  passed: 0,
  failed: 0,
  broken: 0,
};
