import { nodeCalls } from '../plugin/node-calls.ts';
import type { Policy } from '../types/policy.ts';
import { tableAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import type { JsonObject } from '../types/json.ts';
import type { PlacedWorkflow } from './check-model.ts';
import type { RegistryView } from './registry-view.ts';

/** Patterns that can never match: they allow nothing, which is rarely what was meant. */
export function checkPolicy(policy: Policy, at: readonly string[], registry: RegistryView, report: Report): void {
  for (const message of registry.policyProblems?.(policy) ?? []) {
    report({ code: 'useless_pattern', severity: 'warning', message: `Policy: ${message}.`, at });
  }
}

/** Variables that nobody declared read as unset; a scenario that means it says so with a table `[world.env]`. */
export function checkEnv(data: JsonObject, { workflow, report }: PlacedWorkflow, registry: RegistryView): void {
  if (valueAt(tableAt(data, 'world'), 'env') !== undefined) return;
  for (const [index, node] of workflow.nodes.entries()) {
    for (const call of nodeCalls(node, (type) => registry.nodeTypeOf(type)) ?? []) {
      if (call.port !== 'env' || call.key === undefined) continue;
      const { key } = call;
      if (registry.grantsEnv?.(key) === true) continue;
      report({
        code: 'undeclared_env',
        severity: 'warning',
        message: `Node "${node.id}" reads the variable ${key}, which the scenario does not declare: it reads as unset.`,
        at: ['nodes', index, 'key'],
        hint:
          `Declare it: [world.env] with ${key} = "…", or allow the real one with --allow-env=${key}. ` +
          'An empty [world.env] says that it is meant to be unset.',
      });
    }
  }
}
