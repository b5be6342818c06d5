import type { UnloadedScenario } from '../types/reports/scenario-report.ts';
import type { LoadedScenario, Sampler } from '../types/scenario.ts';
import { NO_TRIALS } from './fold/fold-head.ts';

export interface LoadErrorOptions {
  readonly seed: number;
  readonly sampler: Sampler;
}

/** A row for a file that did not load. */
export function loadErrorReport(
  { name, file, capabilities, trials, issues }: Extract<LoadedScenario, { readonly ok: false }>,
  { seed, sampler }: LoadErrorOptions,
): UnloadedScenario {
  return {
    name,
    file,
    capabilities,
    verdict: 'load_error',
    loadErrors: issues.filter((issue) => issue.severity === 'error'),
    seed,
    sampler,
    trials: { ...NO_TRIALS, requested: trials },
  };
}
