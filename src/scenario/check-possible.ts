import { hintFor } from '../text/did-you-mean.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../types/workflow.ts';
import { reachableFrom } from '../workflow/graph.ts';
import { tableAt, textAt, textsAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import type { RegistryView } from './registry-view.ts';

/** Expectations about paths and branches that no run of this graph can meet. */
export function checkPossible(
  data: JsonObject,
  workflow: Workflow,
  entry: string,
  registry: RegistryView,
  report: Report,
): void {
  const nodes = new Map(workflow.nodes.map((node) => [node.id, node]));
  const expected = tableAt(data, 'expected');
  const reachable = reachableFrom(workflow, [entry]);
  const impossible = (message: string, at: Pointer, hint: string | (() => string), part: 'key' | 'value' = 'value') =>
    report({ code: 'impossible_expectation', severity: 'warning', message, at, part, hint });
  for (const key of ['last_node', 'errored_node']) {
    const id = textAt(expected, key);
    if (id === undefined || !nodes.has(id) || reachable.has(id)) continue;
    impossible(
      `Node "${id}" cannot be reached from "${entry}", where the run begins.`,
      ['expected', key],
      'Name a node on the way.',
    );
  }
  const edges = new Set(workflow.edges.map((edge) => edgeKey(edge)));
  const path = textsAt(expected, 'path');
  for (const [position, id] of path.entries()) {
    const before = path[position - 1];
    const at = ['expected', 'path', position];
    if (!nodes.has(id) || (before !== undefined && !nodes.has(before))) continue;
    if (before === undefined && id !== entry) {
      impossible(`The run begins at "${entry}", not at "${id}".`, at, 'Begin the path with that node.');
    } else if (before !== undefined && !edges.has(edgeKey({ from: before, to: id }))) {
      const next = workflow.edges.filter((edge) => edge.from === before).map((edge) => edge.to);
      impossible(`No edge leads from "${before}" to "${id}".`, at, () => hintFor(id, next, `nodes after "${before}"`));
    }
  }
  for (const [id, labels] of Object.entries(tableAt(expected, 'branches'))) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    checkLabels(node, labels, registry.nodeTypeOf(node.type)?.labels(node.config) ?? 'any', impossible);
  }
}

function checkLabels(
  node: WorkflowNode,
  expected: Json,
  possible: readonly string[] | 'any',
  impossible: (message: string, at: Pointer, hint: string | (() => string)) => void,
): void {
  if (possible === 'any') return;
  const list: readonly Json[] = Array.isArray(expected) ? expected : [expected];
  for (const [position, label] of list.entries()) {
    if (typeof label !== 'string' || possible.includes(label)) continue;
    const at: Pointer = ['expected', 'branches', node.id];
    impossible(
      possible.length === 0
        ? `Node "${node.id}" (${node.type}) never gives a label.`
        : `Node "${node.id}" (${node.type}) never gives the label "${label}".`,
      Array.isArray(expected) ? [...at, position] : at,
      () => (possible.length === 0 ? 'Use path to say where the run must go.' : hintFor(label, possible, 'labels')),
    );
  }
}

function edgeKey({ from, to }: Pick<WorkflowEdge, 'from' | 'to'>): string {
  return `${from.length} ${from} ${to}`;
}
