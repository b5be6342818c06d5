import {
  isJudged,
  isSampled,
  type JudgedScenario,
  type SampledScenario,
  type ScenarioReport,
} from '../../src/types/reports/scenario-report.ts';

/** The scenario, of which trials ran; throws where none did. */
export function sampled(scenario: ScenarioReport | undefined): SampledScenario {
  if (scenario === undefined || !isSampled(scenario)) throw new TypeError(`No trial ran: ${textOf(scenario)}`);
  return scenario;
}

/** The scenario, which passed or failed; throws where it did neither. */
export function judged(scenario: ScenarioReport | undefined): JudgedScenario {
  if (scenario === undefined || !isJudged(scenario)) throw new TypeError(`It was not judged: ${textOf(scenario)}`);
  return scenario;
}

function textOf(scenario: ScenarioReport | undefined): string {
  return JSON.stringify(scenario ?? null, null, 2);
}
