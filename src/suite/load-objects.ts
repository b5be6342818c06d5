import type { ScenarioDefinition } from '../scenario/objects/define-scenario.ts';
import { type ObjectOptions, scenarioFromObject } from '../scenario/objects/scenario-from-object.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { SuitePart } from '../settings/suite-part.ts';
import type { LoadedDocument, SuiteKind } from '../suites/suite-kind.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { DefinitionBase } from '../types/suite-base.ts';
import type { Issue } from '../types/issue.ts';
import { isRecord } from '../values/is-json.ts';

export interface LoadObjectsOptions extends ObjectOptions {
  readonly kinds: readonly SuiteKind[];
  /** Objects of other kinds are passed over; null: all are loaded. */
  readonly only: SuitePart | null;
}

/**
 * Loads what a program made, with the same checks as files: scenarios, of which one with `cases` is several, and what is run as
 * several. What no kind knows is the scenario of a workflow. Problems are data.
 */
export async function loadObjects(
  made: readonly unknown[],
  view: RegistryView,
  { kinds, only, ...options }: LoadObjectsOptions,
): Promise<LoadedDocument> {
  const rows: LoadedScenario[] = [];
  const definitions: DefinitionBase[] = [];
  const notRun: string[] = [];
  const issues: Issue[] = [];
  for (const one of made) {
    const kind = isRecord(one) ? kinds.find(({ detectsObject }) => detectsObject?.(one) === true) : undefined;
    if (only !== null && only !== (kind?.plural ?? 'scenarios')) continue;
    const loaded = await (await kind?.open())?.loadObject?.(one, view, options);
    if (loaded === undefined) {
      // Programs need not be typed: what it is, loading finds out.
      const row = scenarioFromObject(one as ScenarioDefinition, view, options);
      rows.push(row);
      issues.push(...row.issues);
      continue;
    }
    rows.push(...loaded.rows);
    definitions.push(...loaded.definitions);
    notRun.push(...loaded.notRun);
    issues.push(...loaded.issues);
  }
  return { rows, definitions, notRun, issues };
}
