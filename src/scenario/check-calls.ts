import type { Issue } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { entryNodeOf, targetsByNode } from '../workflow/graph.ts';
import { tableAt, textAt } from '../workflow/raw-data.ts';
import { collectIssues } from '../workflow/report.ts';
import type { LoadedWorkflow } from './load-workflow.ts';
import type { RegistryView } from './registry-view.ts';
import type { ResolvedWorkflow } from './resolve-files.ts';

/** Workflows by the key that nodes name them by; `''` is the one that is run. */
type CallingWorkflows = ReadonlyMap<string, Workflow>;

/** A node that runs a workflow which always comes to this node again. */
interface EndlessCall {
  readonly by: string;
  readonly node: number;
  readonly workflow: string;
}

interface CheckedCalls {
  /** Of the scenario. */
  readonly data: JsonObject;
  readonly loaded: LoadedWorkflow;
  readonly resolved: ResolvedWorkflow;
  /** Name of the start node. */
  readonly start: string;
  readonly registry: RegistryView;
}

/** Warns of a workflow that calls itself whatever happens, unless the scenario expects the error that this ends in. */
export function checkEndlessCall({ data, loaded, resolved, start, registry }: CheckedCalls): readonly Issue[] {
  if (textAt(tableAt(data, 'expected'), 'status') === 'errored') return [];
  const children = [...resolved.children].map(([key, child]): [string, Workflow] => [key, child.workflow]);
  const call = findEndlessCall(new Map([['', resolved.workflow], ...children]), start, registry);
  const caller = call === null ? undefined : call.by === '' ? loaded : resolved.children.get(call.by);
  if (call === null || caller === undefined) return [];
  const { by, node, workflow } = call;
  const id = caller.workflow.nodes[node]?.id ?? '';
  const again = by === workflow ? 'which is its own' : 'which calls back';
  return collectIssues(caller.locate, (report) =>
    report({
      code: 'endless_call',
      severity: 'warning',
      message: `Node "${id}" runs workflow "${workflow}", ${again}, on every way: runs end errored where calls are nested too deep.`,
      at: ['nodes', node, 'workflow'],
      hint: 'Put a condition before the call, with an edge that leads past it.',
    }),
  );
}

/** A call that every run from the start makes, whose child calls itself, directly or by way of others; null: there is none. */
function findEndlessCall(workflows: CallingWorkflows, start: string, registry: RegistryView): EndlessCall | null {
  const path: string[] = [];
  let at: { readonly by: string; readonly start: string | undefined } = { by: '', start };
  for (;;) {
    const { by } = at;
    const workflow = workflows.get(by);
    const startName = at.start ?? workflow?.startNodes[0]?.name;
    if (workflow === undefined || startName === undefined) return null;
    path.push(JSON.stringify([by, startName]));
    const call = firstCall(workflow, startName, registry);
    if (call === null) return null;
    const called = workflows.get(call.workflow)?.startNodes[0]?.name;
    if (path.includes(JSON.stringify([call.workflow, call.start ?? called]))) return { by, ...call };
    at = { by: call.workflow, start: call.start };
  }
}

interface CertainCall {
  readonly node: number;
  readonly workflow: string;
  readonly start: string | undefined;
}

/** The first call on the way that all runs take, up to where they part. */
function firstCall(workflow: Workflow, start: string, registry: RegistryView): CertainCall | null {
  const indexes = new Map(workflow.nodes.map((node, index) => [node.id, index]));
  const targets = targetsByNode(workflow.edges);
  const seen = new Set<string>();
  let id = entryNodeOf(workflow, start);
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const node = indexes.get(id);
    if (node === undefined) return null;
    const call = callOf(workflow.nodes[node] as WorkflowNode, registry);
    if (call !== null) return { node, ...call };
    const [next = null, ...others]: readonly (string | null)[] = [...new Set(targets.get(id) ?? [])];
    id = others.length === 0 ? next : null;
  }
  return null;
}

function callOf({ type, config }: WorkflowNode, registry: RegistryView): Omit<CertainCall, 'node'> | null {
  const use = registry
    .nodeTypeOf(type)
    ?.children?.(config)
    .find(({ always }) => always === true);
  return use === undefined ? null : { workflow: use.workflow, start: textAt(config, 'start') };
}
