import { CAPABILITIES } from '../../types/capability.ts';
import type { CoverageReport } from '../../types/reports/report.ts';
import type { JudgedScenario, ScenarioReport } from '../../types/reports/scenario-report.ts';
import { byCodePoint } from '../../values/json-text.ts';

/** What coverage is counted from. */
export type CoveredScenario = Pick<ScenarioReport, 'capabilities' | 'verdict'> &
  Partial<Pick<JudgedScenario, 'observed' | 'belowFloor'>>;

/**
 * Which capabilities a suite covers: observed ones were seen in a passing trial of any scenario; tags count only as
 * claims, and only those of scenarios that clear their own bar, as in the reference.
 * Unknown tags are reported for every scenario.
 */
export function coverage(scenarios: readonly CoveredScenario[]): CoverageReport {
  const covered = new Set<string>();
  const tagged = new Set<string>();
  const tags = new Set<string>();
  for (const scenario of scenarios) {
    for (const id of scenario.observed ?? []) covered.add(id);
    for (const tag of scenario.capabilities) {
      tags.add(tag);
      if (scenario.verdict === 'passed' || scenario.belowFloor !== undefined) tagged.add(tag);
    }
  }
  const observed = MATRIX.filter((id) => covered.has(id));
  return {
    total: MATRIX.length,
    observed,
    claimed: MATRIX.filter((id) => tagged.has(id) && !covered.has(id)),
    uncovered: MATRIX.filter((id) => !covered.has(id)),
    unknown: [...tags].filter((tag) => !MATRIX.includes(tag)).sort(byCodePoint),
    fraction: observed.length / MATRIX.length,
    byTags: MATRIX.filter((id) => tagged.has(id)).sort(byCodePoint),
  };
}

const MATRIX: readonly string[] = CAPABILITIES;
