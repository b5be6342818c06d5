import { checkJsonSchema } from '../engine/json-schema.ts';
import { builtinNodeSchemas } from '../engine/node-schemas.ts';
import { builtinFaultSchemas } from '../faults/builtin-schemas.ts';
import { grantedPorts, grantsWord } from '../effects/granted-ports.ts';
import { compileUrlMatch } from '../matching/url-match.ts';
import type { Plugin, Registry } from '../plugin/registry.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { createPolicy } from '../policy/create-policy.ts';
import { freezeDeep } from '../scenario/freeze-deep.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { Policy } from '../types/policy.ts';
import { modelSource } from './live-backends.ts';
import { NO_ITEMS } from '../values/empty.ts';
import { readPolicy } from '../workflow/read-policy.ts';
import type { ResolvedLoadOptions } from './options.ts';
import { policyKey } from './policy-key.ts';

/** What loading needs to know of everything that files may name. */
export function registryView(
  registry: Registry,
  plugins: readonly Plugin[],
  options: Pick<ResolvedLoadOptions, 'nodes' | 'models' | 'endpoints' | 'live' | 'permissions'>,
): RegistryView {
  const nodeSchemas = new Map(builtinNodeSchemas);
  const faultTypes = new Map(builtinFaultSchemas);
  for (const { kind, type, schema } of plugins) {
    if (kind === 'node') nodeSchemas.set(type, { type, schema: schema ?? ANY_KEYS });
    else if (kind === 'fault') faultTypes.set(type, schema ?? null);
  }
  for (const [type, { schema }] of Object.entries(options.nodes)) {
    nodeSchemas.set(type, { type, schema: schema ?? ANY_KEYS });
  }
  const policies = new BoundedMemo<Policy>();
  const problems = new WeakMap<Policy, readonly string[]>();
  return {
    nodeSchemas,
    faultTypes,
    labelsOf: (type, config) => registry.nodes.get(type)?.nodeType.labels(config) ?? 'any',
    similarities: [...registry.similarities.keys()],
    checkJsonSchema,
    checkNode: (node, workflow) => {
      const nodeType = registry.nodes.get(node.type)?.nodeType;
      if (nodeType?.check === undefined) return NO_ITEMS;
      const view = {
        id: node.id,
        workflow: workflow.name,
        backends: ['default', ...workflow.backends.map(({ name }) => name)],
        mcpServers: workflow.mcpServers.map((server) => server.name),
        compileSchema: () => () => [],
      };
      return nodeType.check(node.config, view);
    },
    urlProblem: (url) => compileUrlMatch(url).problem,
    policyOf: (table) => {
      // Many scenarios have the same policy.
      const key = policyKey(table);
      return policies.get(key) ?? policies.set(key, freezeDeep(readPolicy(table)));
    },
    policyProblems: (policy) => {
      const known = problems.get(policy) ?? createPolicy(policy, { mcpServers: [] }).problems;
      problems.set(policy, known);
      return known;
    },
    granted: grantedPorts(options.permissions),
    grantsEnv: (key) => grantsWord(options.permissions.env, key),
    modelSource: (backend, workflow) => modelSource(backend, workflow, options),
    isLive: options.live,
  };
}

const ANY_KEYS = { type: 'object' };
