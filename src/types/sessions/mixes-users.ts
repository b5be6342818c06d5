import { isSampled, type ScenarioReport } from '../reports/scenario-report.ts';

/** Who plays the user of a scenario's sessions; null: they are none, or none ran. */
export function userOf(scenario: ScenarioReport): 'script' | 'model' | null {
  if (!isSampled(scenario) || scenario.session === undefined) return null;
  return scenario.session.user === undefined ? 'script' : 'model';
}

/** True: users of some follow scripts, and a model plays those of others, so that no pass^k is one of all. */
export function mixesUsers(scenarios: readonly ScenarioReport[]): boolean {
  const kinds = new Set(scenarios.map(userOf));
  return kinds.has('script') && kinds.has('model');
}
