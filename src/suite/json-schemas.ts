import { loadPlugins } from '../plugin/load-plugins.ts';
import {
  contractJsonSchema as contractSchema,
  scenarioJsonSchema as scenarioSchema,
  sessionJsonSchema as schemaOfSessions,
  workflowJsonSchema as workflowSchema,
} from '../scenario/json-schema.ts';
import { configSchema } from '../settings/config-schema.ts';
import { editorSchema } from '../source/editor-schema.ts';
import { extendRegistry } from '../trial/registry.ts';
import type { JsonObject } from '../types/json.ts';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';
import { registryView } from './registry-view.ts';

/** JSON Schema (draft 2020-12) of scenario and contract files, and of scenarios with an agent, with the user's plug-ins where they are named. */
export async function scenarioJsonSchema(options: SchemaOptions = {}): Promise<JsonObject> {
  const { agentScenarioSchema: agentScenario } = await import('../suites/session/session-schema.ts');
  return scenarioSchema(await viewFor(options), { contractKeys: await contractKeys(), agentScenario });
}

/** JSON Schema (draft 2020-12) of contract files alone, with the user's plug-ins where they are named. */
export async function contractJsonSchema(options: SchemaOptions = {}): Promise<JsonObject> {
  return contractSchema(await viewFor(options), await contractKeys());
}

/** JSON Schema (draft 2020-12) of workflow files. */
export async function workflowJsonSchema(options: SchemaOptions = {}): Promise<JsonObject> {
  return workflowSchema(await viewFor(options));
}

/** JSON Schema (draft 2020-12) of files of tasks, which hold sessions, and of files that have them generated. */
export async function sessionJsonSchema(): Promise<JsonObject> {
  const { agentScenarioSchema: agentScenario, sessionSchema } = await import('../suites/session/session-schema.ts');
  const { generateSchema } = await import('../suites/generated/generate-schema.ts');
  return schemaOfSessions(sessionSchema, { generateKeys: generateSchema, agentScenario });
}

/** JSON Schema (draft 2020-12) of files of agents, which `--agents` names. */
export async function agentsJsonSchema(): Promise<JsonObject> {
  const { agentsFileSchema } = await import('../suites/session/load-agents-file.ts');
  return editorSchema('agents', agentsFileSchema);
}

/** JSON Schema (draft 2020-12) of worlds, which sessions name. */
export async function worldJsonSchema(): Promise<JsonObject> {
  const { worldFileSchema } = await import('../suites/session/world-schema.ts');
  return editorSchema('world', worldFileSchema);
}

/** JSON Schema (draft 2020-12) of files that name recorded runs. */
export async function recordingJsonSchema(): Promise<JsonObject> {
  const { recordingFileSchema } = await import('../suites/recording/recording-file-schema.ts');
  return editorSchema('recording', recordingFileSchema);
}

/** JSON Schema (draft 2020-12) of files that say what models are asked: TOML of passk, or a model-conformance.yaml. */
export async function modelJsonSchema(): Promise<JsonObject> {
  const { modelFileSchema } = await import('../suites/model/spec-schema.ts');
  return editorSchema('model', modelFileSchema);
}

/** JSON Schema (draft 2020-12) of a conform.toml, which says how models are asked. */
export async function conformJsonSchema(): Promise<JsonObject> {
  const { conformSchema } = await import('../suites/model/conform-schema.ts');
  return editorSchema('conform', { type: 'object', properties: { conform: conformSchema }, required: ['conform'] });
}

/** JSON Schema (draft 2020-12) of passk.toml, the settings of a project. */
export function configJsonSchema(): JsonObject {
  return editorSchema('config', configSchema(true));
}

async function contractKeys(): Promise<Parameters<typeof contractSchema>[1]> {
  const { contractKeys: keys } = await import('../suites/contract/contract-schema.ts');
  return keys;
}

type SchemaOptions = Pick<LoadSuiteOptions, 'plugins' | 'cwd'>;

async function viewFor(options: SchemaOptions): Promise<ReturnType<typeof registryView>> {
  const resolved = resolveLoadOptions(options);
  const plugins = await loadPlugins(resolved.plugins);
  return registryView(extendRegistry(plugins, []), plugins, resolved);
}
