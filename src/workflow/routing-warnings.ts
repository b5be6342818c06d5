import { hintFor } from '../text/did-you-mean.ts';
import type { Draft, DraftEdge, DraftNode } from './draft.ts';
import type { NodeTypeOf } from './node-facts.ts';
import type { Report } from './report.ts';

/** Labels that no edge answers, and edges for labels that never come. */
export function warnAboutRouting(draft: Draft, nodeTypeOf: NodeTypeOf, report: Report): void {
  const edgesFrom = new Map<string, DraftEdge[]>();
  for (const edge of draft.edges) {
    const edges = edgesFrom.get(edge.from);
    if (edges === undefined) edgesFrom.set(edge.from, [edge]);
    else edges.push(edge);
  }
  for (const node of draft.nodes) {
    const edges = edgesFrom.get(node.id) ?? [];
    // A node without edges is where the run is meant to end.
    const nodeType = nodeTypeOf(node.type);
    if (edges.length === 0 || node.config === null || nodeType === undefined || nodeType.ends === true) continue;
    const labels = nodeType.labels(node.config);
    if (nodeType.alwaysLabelled === true) warnAboutUnlabelled(node, edges, report);
    if (labels !== 'any') compareLabels(node, edges, labels, report);
  }
}

function warnAboutUnlabelled(node: DraftNode, edges: readonly DraftEdge[], report: Report): void {
  for (const edge of edges) {
    if (edge.when !== undefined) continue;
    report({
      code: 'unroutable_label',
      severity: 'warning',
      message: `Node "${node.id}" (${node.type}) always gives a label, so this edge without one is never followed.`,
      at: ['edges', edge.index, 'from'],
      hint: 'Add when with the label it is for; there is no default edge.',
    });
  }
}

function compareLabels(node: DraftNode, edges: readonly DraftEdge[], labels: readonly string[], report: Report): void {
  for (const edge of edges) {
    const { when } = edge;
    if (when === undefined || labels.includes(when)) continue;
    report({
      code: 'unroutable_label',
      severity: 'warning',
      message:
        labels.length === 0
          ? `Node "${node.id}" (${node.type}) never gives a label, so this edge for "${when}" is never followed.`
          : `Node "${node.id}" (${node.type}) never gives the label "${when}", so this edge is never followed.`,
      at: ['edges', edge.index, 'when'],
      hint: () => (labels.length === 0 ? 'Remove when from the edge.' : hintFor(when, labels, 'labels')),
    });
  }
  const answered = new Set(edges.map((edge) => edge.when));
  for (const label of labels) {
    if (answered.has(label)) continue;
    report({
      code: 'unroutable_label',
      severity: 'warning',
      message: `No edge answers the label "${label}" of node "${node.id}" (${node.type}): such a run stops there as completed.`,
      at: ['nodes', node.index, 'id'],
      hint: `Add an edge from "${node.id}" with when = "${label}".`,
    });
  }
}
