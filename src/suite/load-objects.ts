import type { ScenarioDefinition } from '../scenario/objects/define-scenario.ts';
import { type ObjectOptions, scenarioFromObject } from '../scenario/objects/scenario-from-object.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { SuiteKind } from '../suites/suite-kind.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { isRecord } from '../values/is-json.ts';

export interface LoadObjectsOptions extends ObjectOptions {
  readonly kinds: readonly SuiteKind[];
}

/**
 * Loads scenarios that a program made, with the same checks as files; one with `cases` is several. What no kind knows is the
 * scenario of a workflow. Problems are data.
 */
export async function loadObjects(
  made: readonly unknown[],
  view: RegistryView,
  { kinds, ...options }: LoadObjectsOptions,
): Promise<readonly LoadedScenario[]> {
  const rows: LoadedScenario[] = [];
  for (const one of made) {
    const kind = isRecord(one) ? kinds.find(({ detectsObject }) => detectsObject?.(one) === true) : undefined;
    const loaded = await (await kind?.open())?.loadObject?.(one, view, options);
    // Programs need not be typed: what it is, loading finds out.
    rows.push(...(loaded ?? [scenarioFromObject(one as ScenarioDefinition, view, options)]));
  }
  return rows;
}
