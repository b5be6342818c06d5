import { type GraphView, topologicalOrder } from './graph.ts';

/** A graph by the numbers of its nodes in file order: what every workflow is asked is answered by one look at each edge. */
export interface GraphIndex {
  readonly numbers: ReadonlyMap<string, number>;
  /** The node that each edge leaves. */
  readonly from: readonly number[];
  /** The node that each edge leads to. */
  readonly to: readonly number[];
}

/** Null when two nodes share an id, or an end of an edge is no node. */
export function indexGraph({ nodes, edges }: Pick<GraphView, 'nodes' | 'edges'>): GraphIndex | null {
  const numbers = new Map<string, number>();
  for (const { id } of nodes) numbers.set(id, numbers.size);
  if (numbers.size < nodes.length) return null;
  const from: number[] = [];
  const to: number[] = [];
  for (const edge of edges) {
    const leaves = numbers.get(edge.from);
    const leads = numbers.get(edge.to);
    if (leaves === undefined || leads === undefined) return null;
    from.push(leaves);
    to.push(leads);
  }
  return { numbers, from, to };
}

/** True exactly when no way leads back to where it began without a loop edge. */
export function isAcyclic(graph: GraphView, { from, to }: GraphIndex): boolean {
  // Most files name their nodes in the order of the run.
  for (const [at, { maxIterations }] of graph.edges.entries()) {
    if (maxIterations === undefined && (from[at] ?? 0) >= (to[at] ?? 0)) return topologicalOrder(graph) !== null;
  }
  return true;
}

/**
 * True only when every node can be reached from one of these: each is one of them, or an edge leads to it from a node
 * before it, of which the same holds. False also of some graphs in which all can be reached.
 */
export function isLedTo({ numbers, from, to }: GraphIndex, entries: readonly string[]): boolean {
  const isReached: boolean[] = [];
  for (let node = 0; node < numbers.size; node++) isReached.push(false);
  for (const id of entries) {
    const entry = numbers.get(id);
    if (entry !== undefined) isReached[entry] = true;
  }
  for (const [at, next] of to.entries()) if ((from[at] ?? 0) < next) isReached[next] = true;
  return !isReached.includes(false);
}
