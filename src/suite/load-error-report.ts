import type { ScenarioReport } from '../types/report.ts';
import type { LoadedScenario, Sampler } from '../types/scenario.ts';
import { NO_COUNTS, NO_RATES, unsampledReasons } from './unsampled.ts';

export interface LoadErrorOptions {
  readonly seed: number;
  readonly sampler: Sampler;
}

/** A row for a file that did not load: every measure is null, with the reason. */
export function loadErrorReport(
  loaded: Extract<LoadedScenario, { readonly ok: false }>,
  { seed, sampler }: LoadErrorOptions,
): ScenarioReport {
  return {
    name: loaded.name,
    file: loaded.file,
    description: null,
    tags: [],
    capabilities: loaded.capabilities,
    verdict: 'load_error',
    loadErrors: loaded.issues.filter((issue) => issue.severity === 'error'),
    pure: false,
    seed,
    sampler,
    trials: { requested: loaded.trials, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    ...NO_RATES,
    minPassRate: null,
    ...NO_COUNTS,
    failures: [],
    nodes: [],
    edges: [],
    turns: [],
    observed: [],
    reasons: unsampledReasons('load_error'),
  };
}
