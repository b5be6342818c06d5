import type { ScenarioReport } from '../types/report.ts';
import type { LoadedScenario, Sampler } from '../types/scenario.ts';
import { namedCounters } from './fold-cost.ts';

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
    passRate: null,
    passRateInterval: null,
    strictPassK: null,
    passHatK: [],
    minPassRate: null,
    cost: { first: null, mean: null, total: namedCounters([]), perSuccess: null, perSuccessInterval: null },
    statuses: { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 },
    stoppedBy: {},
    virtualMs: { mean: null, max: 0 },
    checks: [],
    failureClasses: [],
    failures: [],
    nodes: [],
    edges: [],
    turns: [],
    observed: [],
    reasons: Object.fromEntries(NULL_FIELDS.map((field) => [field, 'load_error'])),
  };
}

const NULL_FIELDS = [
  'passRate',
  'passRateInterval',
  'strictPassK',
  'virtualMs.mean',
  'cost.first',
  'cost.mean',
  'cost.perSuccess',
  'cost.perSuccessInterval',
];
