import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { targetsByNode, topologicalOrder } from '../workflow/graph.ts';
import { numberAt, tablesAt, textAt } from '../workflow/raw-data.ts';
import { isModelType } from './check-node-names.ts';

/** Finds the most model requests that the nodes which `counts` accepts can make in one run; Infinity: no bound is known. */
export function mostRequests(
  workflow: Workflow,
  children: ReadonlyMap<string, Workflow>,
  counts: (node: WorkflowNode) => boolean,
): number {
  const bounds = new Map<string, number>();
  // A child is entered once; one that is being counted already calls itself, so there is no bound.
  const boundOf = (key: string, depth: number): number => {
    const known = bounds.get(key);
    if (known !== undefined) return known;
    const child = children.get(key);
    if (child === undefined || depth > DEEPEST) return Number.POSITIVE_INFINITY;
    bounds.set(key, Number.POSITIVE_INFINITY);
    const bound = longest(child, (node) => requestsOf(node, counts, (inner) => boundOf(inner, depth + 1)));
    bounds.set(key, bound);
    return bound;
  };
  return longest(workflow, (node) => requestsOf(node, counts, (key) => boundOf(key, 1)));
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

function requestsOf(
  node: WorkflowNode,
  counts: (node: WorkflowNode) => boolean,
  childBound: (key: string) => number,
): number {
  const { config } = node;
  if (isModelType(node.type)) {
    if (!counts(node)) return 0;
    const attempts = node.retry?.maxAttempts ?? 1;
    const requests =
      node.type === 'llm_infer' ? (numberAt(config, 'outputRepairs') ?? 0) + 1 : (numberAt(config, 'maxSteps') ?? 1);
    return attempts * requests;
  }
  switch (node.type) {
    case 'call':
      return childBound(textAt(config, 'workflow') ?? '');
    case 'map':
      return times(numberAt(config, 'maxItems') ?? 0, childBound(textAt(config, 'workflow') ?? ''));
    case 'parallel': {
      const branches = tablesAt(config, 'branches').map(({ table }) => childBound(textAt(table, 'workflow') ?? ''));
      return branches.reduce((sum, bound) => sum + bound, 0);
    }
    default:
      // A plug-in may ask a model as often as it likes.
      return BUILT_IN_WITHOUT_MODEL.has(node.type) ? 0 : Number.POSITIVE_INFINITY;
  }
}

/** Zero of something without a bound is still zero. */
function times(count: number, bound: number): number {
  return count === 0 || bound === 0 ? 0 : count * bound;
}

/** Built-in node types that never ask a model. */
export const BUILT_IN_WITHOUT_MODEL: ReadonlySet<string> = new Set([
  'read_file',
  'read_env',
  'read_mcp_resource',
  'parse_json',
  'template_render',
  'diff_compute',
  'json_select',
  'write_file',
  'create_dir',
  'http_request',
  'call_mcp_tool',
  'shell_run',
  'condition',
  'switch',
  'merge',
  'fail',
  'pause_for_approval',
  'respond',
  'terminate',
]);
