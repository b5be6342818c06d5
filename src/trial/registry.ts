import { PasskError } from '../errors.ts';
import { lexicalSimilarity } from '../checks/invariants/text-similarity.ts';
import { builtinNodes } from '../engine/builtin.ts';
import { builtinFaults } from '../faults/builtin.ts';
import { liveNodeType } from '../plugin/live-node.ts';
import type { Plugin, RegisteredNode, Registry } from '../plugin/registry.ts';
import type { RunnerType } from '../plugin/runner-type.ts';
import type { SubjectType } from '../plugin/subject-type.ts';
import type { SuiteType } from '../plugin/suite-type.ts';
import { builtinRunners } from '../runners/builtin.ts';
import type { LiveNode } from '../types/live-node.ts';
import { plainFault } from './plain-fault.ts';

/** Everything passk brings. */
export const builtinRegistry: Registry = {
  nodes: new Map(builtinNodes.map((nodeType) => [nodeType.type, { nodeType, user: false }])),
  faults: new Map(builtinFaults.map((fault) => [fault.type, fault])),
  userFaults: new Set(),
  similarities: new Map([[lexicalSimilarity.type, lexicalSimilarity]]),
  subjects: new Map(),
  suites: new Map(),
  runners: new Map<string, RunnerType>(builtinRunners.map((runner) => [runner.type, runner])),
};

/** The built-in plug-ins and the user's; throws a `PLUGIN` error when a word would mean two things. */
export function extendRegistry(plugins: readonly Plugin[], liveNodes: readonly LiveNode[]): Registry {
  if (plugins.length === 0 && liveNodes.length === 0) return builtinRegistry;
  const nodes = new Map<string, RegisteredNode>(builtinRegistry.nodes);
  const faults = new Map(builtinRegistry.faults);
  const userFaults = new Set<string>();
  const similarities = new Map(builtinRegistry.similarities);
  const subjects = new Map<string, SubjectType>();
  const suites = new Map<string, SuiteType>();
  const runners = new Map(builtinRegistry.runners);
  const taken = (kind: string, type: string): PasskError =>
    new PasskError('PLUGIN', `There is already a ${kind} "${type}".`, { hint: 'Give the plug-in another `type`.' });
  for (const plugin of plugins) {
    if (plugin.kind === 'node') {
      if (nodes.has(plugin.type)) throw taken('node', plugin.type);
      nodes.set(plugin.type, { nodeType: plugin, user: true });
    } else if (plugin.kind === 'fault') {
      if (faults.has(plugin.type)) throw taken('fault', plugin.type);
      faults.set(plugin.type, plainFault(plugin));
      userFaults.add(plugin.type);
    } else if (plugin.kind === 'similarity') {
      if (similarities.has(plugin.type)) throw taken('similarity', plugin.type);
      similarities.set(plugin.type, plugin);
    } else if (plugin.kind === 'subject') {
      if (subjects.has(plugin.type)) throw taken('subject', plugin.type);
      subjects.set(plugin.type, plugin);
    } else if (plugin.kind === 'suite') {
      if (suites.has(plugin.type)) throw taken('suite', plugin.type);
      suites.set(plugin.type, plugin);
    } else if (plugin.kind === 'runner') {
      if (runners.has(plugin.type)) throw taken('runner', plugin.type);
      runners.set(plugin.type, plugin);
    }
  }
  for (const live of liveNodes) {
    if (nodes.has(live.type)) throw taken('node', live.type);
    // The node itself only asks the host, so it is no code of the user in the worker.
    nodes.set(live.type, { nodeType: liveNodeType(live), user: false });
  }
  return { nodes, faults, userFaults, similarities, subjects, suites, runners };
}
