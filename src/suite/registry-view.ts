import type { TSchema } from 'typebox';
import { checkJsonSchema } from '../engine/json-schema.ts';
import { builtinNodeSchemas } from '../engine/node-schemas.ts';
import { PasskError } from '../errors.ts';
import { builtinFaultSchemas } from '../faults/builtin-schemas.ts';
import { grantedPorts, grantsWord } from '../effects/granted-ports.ts';
import { compileUrlMatch } from '../matching/url-match.ts';
import type { Plugin, Registry } from '../plugin/registry.ts';
import { createPolicy } from '../policy/create-policy.ts';
import { refusesMcp } from '../policy/mcp-rule.ts';
import type { ModelTestOptions, PluginCheck, RegistryView } from '../scenario/registry-view.ts';
import { anyKeys } from '../source/camel-keys.ts';
import { loadFormats, schemaProblems } from '../source/fits-schema.ts';
import { modelSource } from '../host/live-backends.ts';
import type { ResolvedLoadOptions } from '../settings/options.ts';

/** What loading needs to know of everything that files may name. */
export function registryView(
  registry: Registry,
  plugins: readonly Plugin[],
  options: Pick<
    ResolvedLoadOptions,
    'nodes' | 'models' | 'plugins' | 'week' | 'endpoints' | 'live' | 'permissions' | keyof ModelTestOptions
  >,
): RegistryView {
  const nodeSchemas = new Map(builtinNodeSchemas);
  const faultTypes = new Map(builtinFaultSchemas);
  const checks = new Map<string, PluginCheck>();
  for (const plugin of plugins) {
    if (plugin.kind === 'node') {
      const { type, schema = anyKeys, check } = plugin;
      nodeSchemas.set(type, { type, schema, ...(check !== undefined && { check: check.bind(plugin) }) });
    } else if (plugin.kind === 'fault') faultTypes.set(plugin.type, plugin.schema ?? null);
    else if (plugin.kind === 'check') {
      checks.set(plugin.type, { judges: plugin.judges, schema: plugin.schema ?? null });
    }
  }
  for (const [type, { schema }] of Object.entries(options.nodes)) {
    nodeSchemas.set(type, { type, schema: schema ?? anyKeys });
  }
  return {
    nodeSchemas,
    faultTypes,
    nodeTypeOf: (type) => registry.nodes.get(type)?.nodeType,
    checks,
    similarities: [...registry.similarities.keys()],
    validators: registry.validators,
    importers: registry.importers,
    generators: registry.generators,
    plugins: options.plugins,
    week: options.week,
    runners: registry.runners,
    modelTests: options,
    hasEnv: (name) => (process.env[name] ?? '') !== '',
    checkJsonSchema,
    urlProblem: (url) => compileUrlMatch(url).problem,
    policyProblems: (policy) => createPolicy(policy, { mcpServers: [] }).problems,
    refusesMcp,
    granted: grantedPorts(options.permissions),
    grantsEnv: (key) => grantsWord(options.permissions.env, key),
    modelSource: (backend, workflow) => modelSource(backend, workflow, options),
    isLive: options.live,
  };
}

/** Looks at the schemas of plug-ins before any file is checked by them. Throws `PLUGIN` for one that cannot be enforced. */
export async function prepareSchemas({
  nodeSchemas,
  faultTypes,
  checks = new Map(),
  generators = new Map(),
}: RegistryView): Promise<void> {
  const schemas = [
    ...[...nodeSchemas].flatMap(([type, node]) => (builtinNodeSchemas.get(type) === node ? [] : [[type, node.schema]])),
    ...[...faultTypes].filter(([type, schema]) => schema !== builtinFaultSchemas.get(type)),
    ...[...checks].map(([type, { schema }]) => [type, schema]),
    ...[...generators].map(([type, { schema = null }]) => [type, schema]),
  ] as readonly (readonly [type: string, schema: TSchema | null])[];
  if (schemas.length === 0) return;
  await loadFormats();
  for (const [type, schema] of schemas) {
    const [problem, ...others] = schema === null ? [] : schemaProblems(schema);
    if (problem === undefined) continue;
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    throw new PasskError('PLUGIN', `The schema of plug-in "${type}" cannot be enforced: ${problem}${more}.`, {
      hint: 'Write a JSON Schema of draft 2020-12 that refers to nothing outside of it.',
    });
  }
}
