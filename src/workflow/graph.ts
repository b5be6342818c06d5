/** What the graph of a workflow looks like; every `Workflow` is one. */
export interface GraphView {
  readonly startNodes: readonly { readonly name: string; readonly entryNode?: string }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly maxIterations?: number }[];
}

/** The node at which a start node's run begins; null when there is no such start node or no single entry. */
export function entryNodeOf(graph: GraphView, startName: string): string | null {
  const start = graph.startNodes.find((candidate) => candidate.name === startName);
  if (start === undefined) return null;
  if (start.entryNode !== undefined) return start.entryNode;
  const roots = rootNodes(graph);
  return roots.length === 1 ? (roots[0] ?? null) : null;
}

/** Nodes without incoming edges, loop edges included, in file order. */
export function rootNodes(graph: GraphView): readonly string[] {
  const led = new Set(graph.edges.map((edge) => edge.to));
  return [...new Set(graph.nodes.map((node) => node.id))].filter((id) => !led.has(id));
}

/** The nodes that a walk from any of these can come to, over all edges, themselves included. */
export function reachableFrom(graph: GraphView, entries: Iterable<string>): ReadonlySet<string> {
  const targets = targetsByNode(graph.edges);
  const seen = new Set(entries);
  const queue = [...seen];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of targets.get(id) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return seen;
}

/**
 * Groups of nodes that lead back to themselves without a loop edge; nodes and groups in file order. Tarjan 1972,
 * with an explicit stack, so that long chains do not exhaust the call stack.
 */
export function cyclesIn(graph: GraphView): readonly (readonly string[])[] {
  const ids = [...new Set(graph.nodes.map((node) => node.id))];
  const rank = new Map(ids.map((id, index) => [id, index]));
  const forward = graph.edges.filter((edge) => edge.maxIterations === undefined);
  const targets = targetsByNode(forward);
  const looped = new Set(forward.filter((edge) => edge.from === edge.to).map((edge) => edge.from));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  const enter = (id: string): Visit => {
    order.set(id, order.size);
    low.set(id, order.size - 1);
    open.push(id);
    isOpen.add(id);
    return { id, targets: targets.get(id) ?? [], next: 0 };
  };
  const lower = (id: string, to: number | undefined) => low.set(id, Math.min(low.get(id) ?? 0, to ?? 0));
  for (const root of ids) {
    const visits: Visit[] = order.has(root) ? [] : [enter(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const target = visit.targets[visit.next++];
      if (target !== undefined) {
        if (!order.has(target)) visits.push(enter(target));
        else if (isOpen.has(target)) lower(visit.id, order.get(target));
        continue;
      }
      visits.pop();
      const parent = visits.at(-1);
      if (parent !== undefined) lower(parent.id, low.get(visit.id));
      if (low.get(visit.id) !== order.get(visit.id)) continue;
      const group = open.splice(open.lastIndexOf(visit.id));
      for (const id of group) isOpen.delete(id);
      if (group.length > 1 || looped.has(visit.id)) groups.push(group);
    }
  }
  const byRank = (a: string | undefined, b: string | undefined) => (rank.get(a ?? '') ?? 0) - (rank.get(b ?? '') ?? 0);
  for (const group of groups) group.sort(byRank);
  return groups.sort((a, b) => byRank(a[0], b[0]));
}

/** Nodes in an order in which every edge that is not a loop edge leads onwards; null when there is a cycle. */
export function topologicalOrder(graph: GraphView): readonly string[] | null {
  const forward = graph.edges.filter((edge) => edge.maxIterations === undefined);
  const targets = targetsByNode(forward);
  const incoming = new Map<string, number>(graph.nodes.map((node) => [node.id, 0]));
  for (const edge of forward) incoming.set(edge.to, (incoming.get(edge.to) ?? 0) + 1);
  const order = [...incoming].filter(([, edges]) => edges === 0).map(([id]) => id);
  for (const id of order) {
    for (const next of targets.get(id) ?? []) {
      const left = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, left);
      if (left === 0) order.push(next);
    }
  }
  return order.length === incoming.size ? order : null;
}

interface Visit {
  readonly id: string;
  readonly targets: readonly string[];
  next: number;
}

/** Where the edges of each node lead, in file order. */
export function targetsByNode(edges: GraphView['edges']): ReadonlyMap<string, readonly string[]> {
  const targets = new Map<string, string[]>();
  for (const edge of edges) {
    const list = targets.get(edge.from);
    if (list === undefined) targets.set(edge.from, [edge.to]);
    else list.push(edge.to);
  }
  return targets;
}
