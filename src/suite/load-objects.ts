import type { AgentScenarioDefinition } from '../scenario/objects/define-agent-scenario.ts';
import type { ScenarioDefinition } from '../scenario/objects/define-scenario.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import { type ObjectOptions, scenarioFromObject } from '../scenario/objects/scenario-from-object.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { isRecord } from '../values/is-json.ts';

/** Loads scenarios that a program made, with the same checks as files; one with `cases` is several. Problems are data. */
export async function loadObjects(
  made: readonly (ScenarioDefinition | AgentScenarioDefinition)[],
  view: RegistryView,
  options: ObjectOptions,
): Promise<readonly LoadedScenario[]> {
  const rows: LoadedScenario[] = [];
  for (const one of made) {
    if (hasAgent(one)) {
      const { sessionsFromObject } = await import('../suites/session/sessions-from-object.ts');
      rows.push(...(await sessionsFromObject(one, view, options)));
    } else rows.push(scenarioFromObject(one, view, options));
  }
  return rows;
}

/** Programs need not be typed. */
function hasAgent(made: ScenarioDefinition | AgentScenarioDefinition): made is AgentScenarioDefinition {
  return isRecord(made) && Object.hasOwn(made, 'agent');
}
