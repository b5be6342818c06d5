import type { TSchema } from 'typebox';
import { isTable } from '../../source/json-schema.ts';
import { parseToml, type SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { untypedNodeSchema } from '../../workflow/node-document-schema.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { workflowSchema } from '../../workflow/workflow-schema.ts';
import type { RegistryView } from '../registry-view.ts';
import { scenarioSchema } from '../scenario-schema.ts';
import { memoryDocument } from './memory-document.ts';
import { snakeKeys } from './snake-keys.ts';

/** The data of a scenario of a workflow that a program made, with the keys of files. */
export function scenarioKeys(plain: JsonObject, registry: RegistryView): JsonObject {
  return faultKeys(snakeKeys(plain, scenarioSchema) as JsonObject, registry);
}

/** The schemas whose keys these are. */
export function scenarioSchemas({ faultTypes }: RegistryView): readonly TSchema[] {
  return [scenarioSchema, ...[...faultTypes.values()].filter((schema) => schema !== null)];
}

/** The workflow that stands in such data, as a document of its own. */
export interface WorkflowIn {
  /** The data to check by the schema of scenarios, which knows `inline` as text. */
  readonly shown: JsonObject;
  /** Null: it is no part of the data, or no document. */
  readonly workflow: SourceDocument | null;
  /** Why it is no document. */
  readonly issues: readonly Issue[];
  /** As in `MemoryDocument`. */
  withoutPlaces(issues: readonly Issue[]): readonly Issue[];
}

/** Finds the workflow of a scenario that a program made: an object, or TOML text. */
export function workflowIn(data: JsonObject, registry: RegistryView, file: string): WorkflowIn {
  const inline = valueAt(tableAt(data, 'workflow'), 'inline');
  const none = { shown: data, workflow: null, issues: [], withoutPlaces: (issues: readonly Issue[]) => issues };
  if (isTable(inline)) {
    const { document, withoutPlaces } = memoryDocument(workflowData(inline, registry), file, {
      written: {
        plain: inline,
        schemas: [workflowSchema, untypedNodeSchema, ...[...registry.nodeSchemas.values()].map(({ schema }) => schema)],
      },
    });
    const shown = { ...data, workflow: { ...tableAt(data, 'workflow'), inline: '' } };
    return { shown, workflow: document, issues: [], withoutPlaces };
  }
  if (typeof inline !== 'string') return none;
  const parsed = parseToml({ path: file, name: file, text: inline });
  return parsed.ok ? { ...none, workflow: parsed.document } : { ...none, issues: parsed.issues };
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
