import { namedCounters } from '../engine/named-counters.ts';
import type { ScenarioReport } from '../types/report.ts';

/** Fields that are null where no trial was sampled, as `reasons` name them. */
const SAMPLED_FIELDS = [
  'passRate',
  'passRateInterval',
  'strictPassK',
  'virtualMs.mean',
  'cost.first',
  'cost.mean',
  'cost.deviation',
  'cost.perSuccess',
  'cost.perSuccessInterval',
];

/** One reason for every field that has no sample to be measured by. */
export function unsampledReasons(reason: string): Record<string, string> {
  return Object.fromEntries(SAMPLED_FIELDS.map((field) => [field, reason]));
}

/** Rates of a scenario of which no trial was sampled. */
export const NO_RATES = {
  passRate: null,
  passRateInterval: null,
  strictPassK: null,
  passHatK: [],
} as const satisfies Partial<ScenarioReport>;

/** Costs and counts of such a scenario. */
export const NO_COUNTS = {
  cost: {
    first: null,
    mean: null,
    total: namedCounters([]),
    deviation: null,
    perSuccess: null,
    perSuccessInterval: null,
  },
  statuses: { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 },
  stoppedBy: {},
  virtualMs: { mean: null, max: 0 },
  checks: [],
  failureClasses: [],
} as const satisfies Partial<ScenarioReport>;
