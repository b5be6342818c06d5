import type { NodeType } from '../plugin/node-type.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { targetsByNode, topologicalOrder } from '../workflow/graph.ts';
import type { RegistryView } from './registry-view.ts';

/** A workflow with those that it runs, by the key that nodes name them by. */
export interface RequestingWorkflows {
  readonly workflow: Workflow;
  readonly children: ReadonlyMap<string, Workflow>;
  readonly registry: RegistryView;
}

/** Finds the most model requests that the nodes which `counts` accepts can make in one run; Infinity: no bound is known. */
export function mostRequests(
  { workflow, children, registry }: RequestingWorkflows,
  counts: (node: WorkflowNode) => boolean,
): number {
  const bounds = new Map<string, number>();
  // A child is entered once; one that is being counted already calls itself, so there is no bound.
  const boundOf = (key: string, depth: number): number => {
    const counted = bounds.get(key);
    if (counted !== undefined) return counted;
    const child = children.get(key);
    if (child === undefined || depth > DEEPEST) return Number.POSITIVE_INFINITY;
    bounds.set(key, Number.POSITIVE_INFINITY);
    const bound = longest(child, (node) =>
      requestsOf(node, registry.nodeTypeOf(node.type), { counts, childBound: (inner) => boundOf(inner, depth + 1) }),
    );
    bounds.set(key, bound);
    return bound;
  };
  return longest(workflow, (node) =>
    requestsOf(node, registry.nodeTypeOf(node.type), { counts, childBound: (key) => boundOf(key, 1) }),
  );
}

/** Composition is bounded at this depth when it runs. */
const DEEPEST = 8;

/** The heaviest walk through a workflow without loops. */
function longest(workflow: Workflow, weightOf: (node: WorkflowNode) => number): number {
  const weights = new Map(workflow.nodes.map((node) => [node.id, weightOf(node)]));
  if ([...weights.values()].every((weight) => weight === 0)) return 0;
  const order = workflow.edges.some((edge) => (edge.maxIterations ?? 0) > 0) ? null : topologicalOrder(workflow);
  if (order === null) return Number.POSITIVE_INFINITY;
  const before = new Map<string, number>();
  const targets = targetsByNode(workflow.edges);
  let most = 0;
  for (const id of order) {
    const total = (before.get(id) ?? 0) + (weights.get(id) ?? 0);
    most = Math.max(most, total);
    for (const next of targets.get(id) ?? []) before.set(next, Math.max(before.get(next) ?? 0, total));
  }
  return most;
}

interface Bounds {
  readonly counts: (node: WorkflowNode) => boolean;
  readonly childBound: (key: string) => number;
}

function requestsOf(node: WorkflowNode, nodeType: NodeType | undefined, { counts, childBound }: Bounds): number {
  const { config } = node;
  if (nodeType === undefined) return Number.POSITIVE_INFINITY;
  const needs = nodeType.needs(config);
  const requests =
    needs.includes('model') && counts(node) ? (nodeType.mostRequests?.(config) ?? Number.POSITIVE_INFINITY) : 0;
  if (!needs.includes('children')) return times(node.retry?.maxAttempts ?? 1, requests);
  const children = nodeType.children?.(config);
  if (children === undefined) return Number.POSITIVE_INFINITY;
  return children.reduce((sum, child) => sum + times(child.times, childBound(child.workflow)), requests);
}

/** Zero of something without a bound is still zero. */
function times(count: number, bound: number): number {
  return count === 0 || bound === 0 ? 0 : count * bound;
}
