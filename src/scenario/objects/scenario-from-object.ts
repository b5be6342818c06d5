import { resolve } from 'node:path';
import { isTable } from '../../source/json-schema.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, WorkflowSubject } from '../../types/scenario.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { ScenarioDefinition } from './define-scenario.ts';
import { loadScenarioDocument, type LoadOptions } from '../load-scenario.ts';
import { memoryDocument } from './memory-document.ts';
import { plainData } from './plain-data.ts';
import type { RegistryView } from '../registry-view.ts';
import { scenarioKeys, scenarioSchemas, workflowIn } from './workflow-in.ts';

export interface ObjectOptions extends Pick<LoadOptions, 'agents' | 'onRead' | 'onCode'> {
  /** The name of the module that made it, as it is shown; absent: it was made in memory. */
  readonly file?: string;
  /** Absolute folder where files that the scenario names are looked for first; absent: `cwd`. */
  readonly folder?: string;
  /** Absolute folder where they are looked for last. */
  readonly cwd: string;
  /** Absolute folder that names of such files are relative to; absent: `cwd`. */
  readonly root?: string;
}

/** Loads a scenario that a program made, with the same checks as a file. Throws nothing. */
export function scenarioFromObject(
  definition: ScenarioDefinition,
  registry: RegistryView,
  { cwd, root = cwd, folder = cwd, file = MEMORY, onRead }: ObjectOptions,
): LoadedScenario<WorkflowSubject> {
  const issues: Issue[] = [];
  const plain = plainData(definition, issues);
  const data = scenarioKeys(isTable(plain) ? plain : {}, registry);
  const { shown, workflow, issues: ofWorkflow, withoutPlaces } = workflowIn(data, registry, file);
  const outer = memoryDocument(shown, file, { written: { plain, schemas: scenarioSchemas(registry) } });
  const name = textAt(data, 'name');
  const tell = (found: readonly Issue[]): readonly Issue[] =>
    issuesOfObject([...issues, ...outer.withoutPlaces(withoutPlaces(found))], name, file);
  if (ofWorkflow.length > 0) {
    return { ok: false, file, name: name ?? file, capabilities: [], trials: 0, issues: tell(ofWorkflow) };
  }
  const places = { root: resolve(root), cwd: resolve(cwd), folder: resolve(folder), ...(onRead && { onRead }) };
  const loaded = loadScenarioDocument(outer.document, registry, { ...places, ...(workflow && { workflow }) });
  if (loaded.ok && issues.length === 0) return { ...loaded, issues: tell(loaded.issues) };
  const { capabilities, trials } = loaded.ok ? loaded.scenario : loaded;
  return { ok: false, file, name: name ?? file, capabilities, trials, issues: tell(loaded.issues) };
}

/** Problems of what a program made: with its name, since no line says which one it is. */
export function issuesOfObject(
  issues: readonly Issue[],
  name: string | undefined,
  file: string,
  what = 'Scenario',
): readonly Issue[] {
  return issues.map((issue) => {
    if (issue.at !== undefined) return issue;
    const named = name === undefined ? issue : { ...issue, message: `${what} "${name}": ${issue.message}` };
    return file === MEMORY ? named : { ...named, at: { file, line: 1, column: 1 } };
  });
}
