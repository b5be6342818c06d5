import { CAPABILITIES } from '../types/capability.ts';
import type { CoverageReport, ScenarioReport } from '../types/report.ts';
import { byCodePoint } from '../values/json-text.ts';

/** What coverage is counted from. */
export type CoveredScenario = Pick<ScenarioReport, 'capabilities' | 'observed' | 'verdict'>;

/**
 * Which capabilities a suite covers: observed ones were seen in a passing trial of any scenario; tags count only as
 * claims, and only those of passing scenarios. Unknown tags are reported whoever has them.
 */
export function coverage(scenarios: readonly CoveredScenario[]): CoverageReport {
  const seen = new Set(scenarios.flatMap((scenario) => scenario.observed));
  const tagged = new Set(scenarios.flatMap(({ capabilities, verdict }) => (verdict === 'passed' ? capabilities : [])));
  const observed = MATRIX.filter((id) => seen.has(id));
  const tags = new Set(scenarios.flatMap((scenario) => scenario.capabilities));
  return {
    total: MATRIX.length,
    observed,
    claimed: MATRIX.filter((id) => tagged.has(id) && !seen.has(id)),
    uncovered: MATRIX.filter((id) => !seen.has(id)),
    unknown: [...tags].filter((tag) => !MATRIX.includes(tag)).sort(byCodePoint),
    fraction: observed.length / MATRIX.length,
    byTags: MATRIX.filter((id) => tagged.has(id)).sort(byCodePoint),
  };
}

const MATRIX: readonly string[] = CAPABILITIES.map(([id]) => id);
