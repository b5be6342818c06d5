import { resolve } from 'node:path';
import { isTable } from '../../source/json-schema.ts';
import { parseToml, type SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { LoadedScenario, WorkflowSubject } from '../../types/scenario.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { untypedNodeSchema } from '../../workflow/node-document-schema.ts';
import { workflowSchema } from '../../workflow/workflow-schema.ts';
import type { ScenarioDefinition } from './define-scenario.ts';
import { loadScenarioDocument, type LoadOptions } from '../load-scenario.ts';
import { memoryDocument } from './memory-document.ts';
import { plainData } from './plain-data.ts';
import type { RegistryView } from '../registry-view.ts';
import { scenarioSchema } from '../scenario-schema.ts';
import { snakeKeys } from './snake-keys.ts';

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
  const data = faultKeys(snakeKeys(isTable(plain) ? plain : {}, scenarioSchema) as JsonObject, registry);
  const inline = valueAt(tableAt(data, 'workflow'), 'inline');
  // The schema knows inline as text; what an object says is checked as a workflow document.
  const shown = isTable(inline) ? { ...data, workflow: { ...tableAt(data, 'workflow'), inline: '' } } : data;
  const outer = memoryDocument(shown, file);
  const options = { root: resolve(root), cwd: resolve(cwd), folder: resolve(folder), ...(onRead && { onRead }) };
  const tell = (
    loaded: LoadedScenario<WorkflowSubject>,
    withoutPlaces: (issues: readonly Issue[]) => readonly Issue[],
  ) => {
    const name = textAt(data, 'name');
    const allIssues = issuesOfObject([...issues, ...outer.withoutPlaces(withoutPlaces(loaded.issues))], name, file);
    if (loaded.ok && issues.length === 0) return { ...loaded, issues: allIssues };
    const { capabilities, trials } = loaded.ok ? loaded.scenario : loaded;
    return { ok: false, file, name: name ?? file, capabilities, trials, issues: allIssues } as const;
  };
  if (isTable(inline)) {
    const inner = memoryDocument(workflowData(inline, registry), file);
    const loaded = loadScenarioDocument(outer.document, registry, { ...options, workflow: inner.document });
    return tell(loaded, inner.withoutPlaces);
  }
  const workflow = textDocument(inline, file);
  if (workflow === null) return tell(loadScenarioDocument(outer.document, registry, options), (same) => same);
  if (!workflow.ok) {
    const failed = {
      ok: false,
      file,
      name: file,
      capabilities: [],
      trials: 0,
      issues: workflow.issues,
    } as const;
    return tell(failed, (same) => same);
  }
  return tell(
    loadScenarioDocument(outer.document, registry, { ...options, workflow: workflow.document }),
    (same) => same,
  );
}

/** The keys of each fault's settings are those of its type. */
function faultKeys(data: JsonObject, registry: RegistryView): JsonObject {
  const rename = (table: Json): Json => {
    if (!isTable(table)) return table;
    const { fault, variants } = table;
    const schema = isTable(fault) ? registry.faultTypes.get(textAt(fault, 'type') ?? '') : undefined;
    return {
      ...table,
      ...(isTable(fault) && schema ? { fault: snakeKeys(fault, schema) } : {}),
      ...(Array.isArray(variants) ? { variants: variants.map(rename) } : {}),
    };
  };
  const { intel } = data;
  if (!isTable(intel) || !Array.isArray(intel.turns)) return data;
  return { ...data, intel: { ...intel, turns: intel.turns.map(rename) } };
}

function textDocument(
  inline: Json | undefined,
  file: string,
):
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | null {
  return typeof inline === 'string' ? parseToml({ path: file, name: file, text: inline }) : null;
}

function workflowData(inline: JsonObject, registry: RegistryView): JsonObject {
  const data = snakeKeys(inline, workflowSchema) as JsonObject;
  if (!Array.isArray(data.nodes)) return data;
  const nodes = [...data.nodes] as Json[];
  for (const { index, table } of tablesAt(data, 'nodes')) {
    const schema = registry.nodeSchemas.get(textAt(table, 'type') ?? '')?.schema;
    const renamed = schema === undefined ? table : snakeKeys(table, schema);
    const retry = isTable(table.retry) ? snakeKeys({ retry: table.retry }, untypedNodeSchema) : {};
    nodes[index] = { ...(renamed as JsonObject), ...(retry as JsonObject) };
  }
  return { ...data, nodes };
}

/** Problems of a scenario that a program made: with its name, since no line says which one it is. */
export function issuesOfObject(issues: readonly Issue[], name: string | undefined, file: string): readonly Issue[] {
  return issues.map((issue) => {
    if (issue.at !== undefined) return issue;
    const named = name === undefined ? issue : { ...issue, message: `Scenario "${name}": ${issue.message}` };
    return file === MEMORY ? named : { ...named, at: { file, line: 1, column: 1 } };
  });
}
