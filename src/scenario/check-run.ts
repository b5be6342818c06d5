import { isTable } from '../source/json-schema.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { JsonObject } from '../types/json.ts';
import type { Issue } from '../types/issue.ts';
import type { Policy } from '../types/policy.ts';
import type { World } from '../types/scenarios/world.ts';
import { entryNodeOf } from '../workflow/graph.ts';
import { tableAt, textAt, valueAt } from '../workflow/raw-data.ts';
import { collectIssues, type Report } from '../workflow/report.ts';
import { checkEndlessCall } from './check-calls.ts';
import { checkMocks } from './mocks/check-mocks.ts';
import { checkModels, checkUnusedTurns, type PlacedWorkflow } from './check-model.ts';
import { checkNodeNames } from './check-node-names.ts';
import { checkPossible } from './check-possible.ts';
import { checkUnusedMocks } from './mocks/check-unused-mocks.ts';
import { checkTrigger } from './check-trigger.ts';
import { checkEnv, checkPolicy } from './check-world.ts';
import type { LoadedWorkflow } from './load-workflow.ts';
import type { RegistryView } from './registry-view.ts';
import type { ResolvedWorkflow } from './resolve-files.ts';

interface RunParts {
  readonly document: SourceDocument;
  readonly loaded: LoadedWorkflow;
  readonly resolved: ResolvedWorkflow;
  /** Null when the scenario's own keys are not sound. */
  readonly world: World | null;
  /** The one in force. */
  readonly policy: Policy | null;
  readonly registry: RegistryView;
}

/** What the scenario and its workflow say about each other: names, answers, and what can never happen. */
export function checkRun({ document, loaded, resolved, world, policy, registry }: RunParts): readonly Issue[] {
  const { data } = document;
  const { workflow } = resolved;
  const children = new Map([...resolved.children].map(([key, child]) => [key, child.workflow]));
  const issues: Issue[] = [];
  // Nothing is answered, so nothing has to be there that answers.
  const isDry = isDryRun(data, registry);
  const start = startOf(document, loaded);
  issues.push(
    ...collectIssues(document.locate, (report) => {
      if (typeof start !== 'string') start(report);
      checkTrigger(data, workflow, report);
      checkNodeNames(data, { workflow, children: [...children.values()], registry }, report);
      if (!isDry) checkUnusedTurns(data, { workflow, children, registry }, report);
      if (world !== null && !isDry)
        checkUnusedMocks(world, { workflows: [workflow, ...children.values()], registry }, report);
      const entry = typeof start === 'string' ? entryNodeOf(workflow, start) : null;
      if (entry !== null) checkPossible(data, workflow, entry, registry, report);
    }),
    ...(typeof start === 'string' ? checkEndlessCall({ data, loaded, resolved, start, registry }) : []),
    ...checkRego(document, loaded),
    ...checkPolicyInForce(document, loaded, policy, registry),
  );
  const isOpen = valueAt(data, 'policy') === undefined && workflow.policy === undefined;
  for (const { workflow: one, locate } of [{ workflow, locate: loaded.locate }, ...resolved.children.values()]) {
    issues.push(
      ...collectIssues(locate, (report) => {
        const placed: PlacedWorkflow = { workflow: one, report };
        if (!isDry) checkModels(data, placed, { registry, runsOn: workflow });
        checkEnv(data, placed, registry);
        if (isOpen && world !== null && !isDry) {
          checkMocks(world, placed, { registry, servers: workflow.mcpServers });
        }
      }),
    );
  }
  return issues;
}

/** True: the scenario, or the user, wants it run without asking or doing anything. */
export function isDryRun(data: JsonObject, { isDryRun: isAsked = false }: RegistryView): boolean {
  return isAsked || valueAt(data, 'dry_run') === true;
}

/** The start node's name, or what is wrong with it. */
function startOf(document: SourceDocument, { workflow }: LoadedWorkflow): string | ((report: Report) => void) {
  const starts = workflow.startNodes.map((start) => start.name);
  const start = textAt(tableAt(document.data, 'trigger'), 'start');
  if (start !== undefined) {
    if (starts.includes(start)) return start;
    return (report) =>
      report({
        code: 'unknown_start_node',
        message: `Workflow "${workflow.name}" has no start node "${start}".`,
        at: ['trigger', 'start'],
        hint: () => hintFor(start, starts, 'start nodes'),
      });
  }
  return (
    starts[0] ??
    ((report) =>
      report({
        code: 'no_start_node',
        message: `Workflow "${workflow.name}" declares no start node.`,
        at: ['workflow'],
        hint: 'Declare one with [[start_nodes]].',
      }))
  );
}

function checkRego(document: SourceDocument, loaded: LoadedWorkflow): readonly Issue[] {
  const hasPolicy = valueAt(document.data, 'policy') !== undefined;
  const policy = tableAt(hasPolicy ? document.data : loaded.table, 'policy');
  if (valueAt(policy, 'rego') === undefined) return [];
  return collectIssues(hasPolicy ? document.locate : loaded.locate, (report) =>
    report({
      code: 'policy_rego',
      message: 'The policy in force uses Rego rules, which cannot be evaluated here.',
      at: ['policy', 'rego'],
      part: 'key',
      hint: 'Write the rules as allowlists; a [policy] in the scenario replaces the one of the workflow.',
    }),
  );
}

function checkPolicyInForce(
  document: SourceDocument,
  { locate }: LoadedWorkflow,
  policy: Policy | null,
  registry: RegistryView,
): readonly Issue[] {
  if (policy === null) return [];
  return collectIssues(isTable(valueAt(document.data, 'policy')) ? document.locate : locate, (report) =>
    checkPolicy(policy, ['policy'], registry, report),
  );
}
