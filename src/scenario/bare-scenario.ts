import type { Scenario } from '../types/scenario.ts';
import type { Expected } from '../types/scenarios/expected.ts';

/** Nothing must hold. */
export const NOTHING_EXPECTED: Expected = {
  pathExact: false,
  forbiddenNodes: [],
  branches: [],
  min: {},
  max: {},
  values: [],
  prompts: [],
  files: { exist: [], absent: [], contain: {} },
};

/** A scenario of which nothing is said but its name, its file and its trials. */
export function bareScenario(
  header: Pick<Scenario, 'name' | 'file' | 'trials' | 'timeoutMs'>,
): Omit<Scenario, 'subject'> {
  return {
    ...header,
    capabilities: [],
    tags: [],
    minPassRate: null,
    seed: null,
    sampler: null,
    faults: { intelErrorOnCall: null },
    expected: NOTHING_EXPECTED,
  };
}
