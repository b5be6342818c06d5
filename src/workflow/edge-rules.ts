import { hintFor } from '../text/did-you-mean.ts';
import type { Draft } from './draft.ts';
import type { NodeTypeOf } from './node-facts.ts';
import type { Report } from './report.ts';

/** Both ends of every edge must be nodes; true when they are. */
export function checkEdgeEnds(draft: Draft, report: Report): boolean {
  const ids = draft.nodes.map((node) => node.id);
  const idSet = new Set(ids);
  let sound = true;
  for (const edge of draft.edges) {
    for (const end of ['from', 'to'] as const) {
      if (idSet.has(edge[end])) continue;
      sound = false;
      report({
        code: 'dangling_edge',
        message: `Edge ${edge.index} (${edge.from} → ${edge.to}) ${end === 'from' ? 'leaves' : 'leads to'} node "${edge[end]}", which is not declared.`,
        at: ['edges', edge.index, end],
        hint: () => hintFor(edge[end], ids, 'nodes'),
      });
    }
  }
  return sound;
}

/** Edges that are legal but cannot do what they seem to say. */
export function warnAboutEdges(draft: Draft, nodeTypeOf: NodeTypeOf, report: Report): void {
  const types = new Map(draft.nodes.map((node) => [node.id, node.type]));
  const first = new Map<string, number>();
  for (const edge of draft.edges) {
    const at = ['edges', edge.index];
    const label = edge.when === undefined ? 'without a label' : `for "${edge.when}"`;
    const key = JSON.stringify([edge.from, edge.when ?? null]);
    if (first.has(key)) {
      report({
        code: 'ambiguous_edge',
        severity: 'warning',
        message: `Node "${edge.from}" has another edge ${label} (edge ${first.get(key)}); a run that comes to choose between them ends errored.`,
        at: [...at, edge.when === undefined ? 'from' : 'when'],
        hint: 'Give each edge of a node a label of its own.',
      });
    } else first.set(key, edge.index);
    const type = types.get(edge.from);
    if (type !== undefined && nodeTypeOf(type)?.ends === true) {
      report({
        code: 'edge_from_end',
        severity: 'warning',
        message: `Node "${edge.from}" ends the run (${type}), so this edge is never followed.`,
        at: [...at, 'from'],
        hint: 'Remove the edge, or end the run elsewhere.',
      });
    }
    if (edge.maxIterations === 0) {
      report({
        code: 'zero_iterations',
        severity: 'warning',
        message: `The edge ${edge.from} → ${edge.to} has max_iterations 0, so it is never followed.`,
        at: [...at, 'max_iterations'],
        hint: 'Allow at least 1, or remove the edge.',
      });
    }
  }
}
