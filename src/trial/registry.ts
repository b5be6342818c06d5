import { lexicalSimilarity } from '../checks/invariants/text-similarity.ts';
import { validatorTypes } from '../checks/validators/builtin.ts';
import { builtinNodes } from '../engine/builtin.ts';
import { builtinFaults } from '../faults/builtin.ts';
import type { CheckType } from '../plugin/check-type.ts';
import { liveNodeType } from '../plugin/live-node.ts';
import type { Plugin, RegisteredNode, Registry } from '../plugin/registry.ts';
import type { RunnerType } from '../plugin/runner-type.ts';
import type { SubjectType } from '../plugin/subject-type.ts';
import type { SuiteType } from '../plugin/suite-type.ts';
import { typeTaken } from '../plugin/type-taken.ts';
import { builtinRunners } from '../runners/builtin.ts';
import { DIRECT } from '../types/model-suite.ts';
import type { LiveNode } from '../types/live-node.ts';
import { plainFault } from './plain-fault.ts';

/** Everything passk brings. */
export const builtinRegistry: Registry = {
  nodes: new Map(builtinNodes.map((nodeType) => [nodeType.type, { nodeType, user: false }])),
  faults: new Map(builtinFaults.map((fault) => [fault.type, fault])),
  userFaults: new Set(),
  checks: new Map(),
  similarities: new Map([[lexicalSimilarity.type, lexicalSimilarity]]),
  subjects: new Map(),
  suites: new Map(),
  runners: new Map<string, RunnerType>(builtinRunners.map((runner) => [runner.type, runner])),
  validators: new Map(validatorTypes.map((one) => [one.type, one])),
  importers: new Map(),
  generators: new Map(),
};

/** What is said in place of a runner: passk chooses one, or asks itself. */
const WORDS_OF_RUNNERS: readonly string[] = ['auto', DIRECT];

/** The built-in plug-ins and the user's; throws a `PLUGIN` error when a word would mean two things. */
export function extendRegistry(plugins: readonly Plugin[], liveNodes: readonly LiveNode[]): Registry {
  if (plugins.length === 0 && liveNodes.length === 0) return builtinRegistry;
  const nodes = new Map<string, RegisteredNode>(builtinRegistry.nodes);
  const faults = new Map(builtinRegistry.faults);
  const userFaults = new Set<string>();
  const checks = new Map<string, CheckType>();
  const similarities = new Map(builtinRegistry.similarities);
  const subjects = new Map<string, SubjectType>();
  const suites = new Map<string, SuiteType>();
  const runners = new Map(builtinRegistry.runners);
  const validators = new Map(builtinRegistry.validators);
  const importers = new Map(builtinRegistry.importers);
  const generators = new Map(builtinRegistry.generators);
  const add = <T, P extends Plugin>(types: Map<string, T>, plugin: P, registered: (plugin: P) => T): void => {
    if (types.has(plugin.type)) throw typeTaken(plugin);
    types.set(plugin.type, registered(plugin));
  };
  for (const plugin of plugins) {
    switch (plugin.kind) {
      case 'node':
        add(nodes, plugin, (nodeType) => ({ nodeType, user: true }));
        break;
      case 'fault':
        add(faults, plugin, plainFault);
        userFaults.add(plugin.type);
        break;
      case 'check':
        add(checks, plugin, itself);
        break;
      case 'similarity':
        add(similarities, plugin, itself);
        break;
      case 'subject':
        add(subjects, plugin, itself);
        break;
      case 'suite':
        add(suites, plugin, itself);
        break;
      case 'runner':
        if (WORDS_OF_RUNNERS.includes(plugin.type)) throw typeTaken(plugin);
        add(runners, plugin, itself);
        break;
      case 'validator':
        add(validators, plugin, itself);
        break;
      case 'importer':
        add(importers, plugin, itself);
        break;
      case 'generator':
        add(generators, plugin, itself);
        break;
      case 'reporter':
        // Reports are rendered without a registry.
        break;
    }
  }
  for (const live of liveNodes) {
    if (nodes.has(live.type)) throw typeTaken({ kind: 'node', type: live.type });
    // The node itself only asks the host, so it is no code of the user in the worker.
    nodes.set(live.type, { nodeType: liveNodeType(live), user: false });
  }
  return {
    nodes,
    faults,
    userFaults,
    checks,
    similarities,
    subjects,
    suites,
    runners,
    validators,
    importers,
    generators,
  };
}

function itself<T>(plugin: T): T {
  return plugin;
}
