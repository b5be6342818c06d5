import { isDeepStrictEqual } from 'node:util';
import { editorSchema, plain, type Rewrite, withTitles } from '../source/editor-schema.ts';
import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { nodeDocumentSchema } from '../workflow/node-document-schema.ts';
import { workflowSchema } from '../workflow/workflow-schema.ts';
import type { RegistryView } from './registry-view.ts';
import { scenarioSchema } from './scenario-schema.ts';

/** What else files of scenarios may be, by their keys at the top. */
interface OtherScenarios {
  /** Of contracts, which have no name at the root and no `[expected]`. */
  readonly contractKeys: object;
  /** Schema of files with one agent. */
  readonly agentScenario: object;
}

/** JSON Schema of scenario files with every registered fault: what editors complete and explain keys by. */
export function scenarioJsonSchema(
  registry: RegistryView,
  { contractKeys, agentScenario }: OtherScenarios,
): JsonObject {
  const whole = withContracts(plain(scenarioSchema), plain(contractKeys));
  const ofAgents = plain(agentScenario);
  const properties = withKeys(propertiesOf(whole), propertiesOf(ofAgents));
  const anyOf = [...((whole.anyOf ?? []) as readonly JsonObject[]), { required: ofAgents.required ?? [] }];
  return editorSchema('scenario', { ...whole, properties, anyOf }, withFaults(registry));
}

/** JSON Schema of contract files: the keys of contracts, and of scenarios but for a name and what they expect. */
export function contractJsonSchema(registry: RegistryView, contractKeys: object): JsonObject {
  const whole = withContracts(plain(scenarioSchema), plain(contractKeys));
  const { expected: _, ...properties } = propertiesOf(whole);
  const alternatives = [{ required: ['golden_prompts'] }, { required: ['invariants'] }];
  const contract = {
    ...whole,
    properties,
    anyOf: [{ required: ['contract'] }, { required: ['agent'], anyOf: alternatives }],
  };
  return editorSchema('contract', contract, withFaults(registry));
}

/**
 * JSON Schema of files of tasks, from their keys. A file that has its tasks made (`generateKeys`) need have none, and one with an
 * agent is a task itself.
 */
export function sessionJsonSchema(
  sessionKeys: object,
  { generateKeys, agentScenario }: { readonly generateKeys: object; readonly agentScenario: object },
): JsonObject {
  const { properties, required, ...keys } = plain(sessionKeys);
  const ofAgents = plain(agentScenario);
  // The keys of a table are its properties.
  const all = withKeys({ ...(properties as JsonObject), generate: plain(generateKeys) }, propertiesOf(ofAgents));
  const anyOf = [{ required: required ?? [] }, { required: ofAgents.required ?? [] }, { required: ['generate'] }];
  return editorSchema('session', { ...keys, properties: all, required: ['name'], anyOf });
}

/** With every registered fault that an answer may name. */
function withFaults(registry: RegistryView): Rewrite {
  const faults = [...registry.faultTypes].map(([type, one]) => faultTable(type, one as JsonObject | null));
  const fault = {
    description: 'What goes wrong with this answer: the type of a fault, or a table with type and its settings.',
    anyOf: [{ enum: [...registry.faultTypes.keys()] }, ...faults],
  };
  return (key, inner) => (key === 'fault' ? fault : inner);
}

/** JSON Schema of workflow files with every registered node type, bare or as the only entry of `[[workflows]]`. */
export function workflowJsonSchema(registry: RegistryView): JsonObject {
  const nodes = [...registry.nodeSchemas.values()].map((node) => plain(nodeDocumentSchema(node)));
  const workflow = withTitles(plain(workflowSchema), (key, schema) =>
    key === 'nodes' ? { ...schema, items: { anyOf: nodes.map((node) => withTitles(node)) } } : schema,
  );
  return editorSchema('workflow', {
    ...workflow,
    properties: {
      ...propertiesOf(workflow),
      workflows: {
        description: 'The workflow in its wrapped form: exactly one entry, and nothing beside it.',
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: { $ref: '#/$defs/workflow' },
      },
    },
    required: [],
    anyOf: [{ required: ['name'] }, { required: ['workflows'] }],
    $defs: { workflow },
  });
}

function withContracts(scenario: JsonObject, contractKeys: JsonObject): JsonObject {
  const properties = propertiesOf(scenario);
  const description = 'The workflow under test: inline or path; in a contract also the path alone.';
  const workflow = { description, anyOf: [properties.workflow ?? {}, { type: 'string' }] };
  return {
    ...scenario,
    properties: { ...properties, ...contractKeys, workflow },
    required: [],
    anyOf: [{ required: ['name', 'workflow'] }, { required: ['contract'] }, { required: ['agent'] }],
  };
}

function faultTable(type: string, schema: JsonObject | null): JsonObject {
  const table = schema === null ? { type: 'object' } : plain(schema);
  const required = Array.isArray(table.required) ? table.required : [];
  return {
    ...table,
    properties: { type: { const: type, description: 'The type of the fault.' }, ...propertiesOf(table) },
    required: ['type', ...required],
  };
}

/** The keys of both; where a key is written in two ways, either will do. */
function withKeys(keys: JsonObject, others: JsonObject): JsonObject {
  const both = Object.entries(others).map(([key, schema]): [string, Json] => {
    const own = keys[key];
    if (!isTable(own) || !isTable(schema)) return [key, own ?? schema];
    if (isDeepStrictEqual(withoutWords(own), withoutWords(schema))) return [key, own];
    return [key, { description: own.description ?? '', anyOf: [own, schema] }];
  });
  return { ...keys, ...Object.fromEntries(both) };
}

function withoutWords(schema: JsonObject): Json {
  return JSON.parse(JSON.stringify(schema, (key, value: Json) => (key === 'description' ? undefined : value))) as Json;
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isTable(schema.properties) ? schema.properties : {};
}
