import type { Draft } from './draft.ts';
import { cyclesIn, reachableFrom, rootNodes } from './graph.ts';
import type { Report } from './report.ts';

/** Nodes that lead back to themselves without a bound: one problem for each such group. */
export function checkCycles(draft: Draft, report: Report): void {
  for (const group of cyclesIn(draft)) {
    const members = new Set(group);
    const rank = new Map(group.map((id, index) => [id, index]));
    const inside = draft.edges.filter(
      (edge) => edge.maxIterations === undefined && members.has(edge.from) && members.has(edge.to),
    );
    const back = inside.find((edge) => (rank.get(edge.to) ?? 0) <= (rank.get(edge.from) ?? 0)) ?? inside[0];
    report({
      code: 'cycle',
      message:
        group.length === 1
          ? `Node "${group[0]}" leads to itself without a bound.`
          : `These nodes lead back to each other without a bound: ${group.join(', ')}.`,
      at: back === undefined ? ['edges'] : ['edges', back.index],
      hint: 'Give the edge that leads back a max_iterations.',
    });
  }
}

/** A start node must have one place to begin. */
export function checkStartEntries(draft: Draft, report: Report): void {
  const unnamed = draft.startNodes.filter((start) => start.entryNode === undefined);
  if (unnamed.length === 0) return;
  const roots = rootNodes(draft);
  if (roots.length === 1) return;
  for (const { index, name } of unnamed) {
    report({
      code: 'ambiguous_start_entry',
      message:
        roots.length === 0
          ? `Start node "${name}" names no entry_node, and no node is without incoming edges.`
          : `Start node "${name}" names no entry_node, and ${roots.length} nodes are without incoming edges: ${listed(roots)}.`,
      at: ['start_nodes', index, 'name'],
      hint: 'Name the first node with entry_node.',
    });
  }
}

/** Every node must be reachable from some start node. */
export function checkReachable(draft: Draft, report: Report): void {
  if (draft.startNodes.length === 0) return;
  const [root, ...otherRoots] = rootNodes(draft);
  const onlyRoot = otherRoots.length === 0 ? root : undefined;
  const entries = draft.startNodes.flatMap((start) => start.entryNode ?? onlyRoot ?? []);
  const reachable = reachableFrom(draft, entries);
  const reported = new Set<string>();
  for (const { index, id } of draft.nodes) {
    if (reachable.has(id) || reported.has(id)) continue;
    reported.add(id);
    report({
      code: 'unreachable_node',
      message: `Node "${id}" cannot be reached from any start node.`,
      at: ['nodes', index, 'id'],
      hint: 'Add an edge that leads to it, or remove it.',
    });
  }
}

const LISTED = 12;

function listed(ids: readonly string[]): string {
  const rest = ids.length - LISTED;
  return rest > 0 ? `${ids.slice(0, LISTED).join(', ')} and ${rest} more` : ids.join(', ');
}
