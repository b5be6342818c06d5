import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';

/** Problems that only show between files: scenario names that are used twice. */
export function checkSuite(loaded: readonly LoadedScenario[]): readonly Issue[] {
  const files = new Map<string, string>();
  const issues: Issue[] = [];
  for (const one of loaded) {
    if (!one.ok) continue;
    const { name, file } = one.scenario;
    const first = files.get(name);
    if (first === undefined) {
      files.set(name, file);
      continue;
    }
    issues.push({
      code: 'duplicate_scenario_name',
      severity: 'error',
      message: `Scenario name "${name}" is used by ${first} and by ${file}.`,
      at: { file, line: 1, column: 1 },
      hint: 'Give each scenario a name of its own: reports and comparisons go by name.',
    });
  }
  return issues;
}
