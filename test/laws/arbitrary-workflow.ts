import fc from 'fast-check';
import type { McpServer, Workflow, WorkflowEdge, WorkflowNode } from '../../src/types/workflow.ts';
import { arbitraryNode, type EdgeSeed, KINDS, type NodeSeed, type Offer } from './arbitrary-nodes.ts';

/** A workflow before it knows what else is there. */
export interface WorkflowSeed {
  readonly nodes: readonly NodeSeed[];
  /** A second start node that begins here; null: none. */
  readonly otherStart: number | null;
  /** True: the first start node leaves its entry to the graph, where that is unambiguous. */
  readonly rootEntry: boolean;
  /** Runs into the step cap. */
  readonly endless: boolean;
}

export interface Surroundings {
  readonly name: string;
  readonly children: readonly string[];
  /** The child's own key, for a call of itself; null: it makes none. */
  readonly self: string | null;
  readonly servers: readonly McpServer[];
}

const TYPES = Object.keys(KINDS);

/** Any workflow of these node types, valid by all 24 codes. */
export function arbitraryWorkflow(maxNodes: number, types: readonly string[] = TYPES): fc.Arbitrary<WorkflowSeed> {
  return fc.record({
    nodes: fc.array(arbitraryNode(types), { minLength: 1, maxLength: maxNodes, size: 'max' }),
    otherStart: fc.option(fc.nat(), { nil: null, freq: 2 }),
    rootEntry: fc.boolean(),
    endless: fc.constantFrom(...Array.from({ length: 60 }, () => false), true),
  });
}

/** The workflow that a seed grows into among its surroundings. */
export function growWorkflow(seed: WorkflowSeed, around: Surroundings): Workflow {
  const isEndless = seed.endless && around.self === null;
  const chosen = isEndless ? seed.nodes.slice(-2) : seed.nodes;
  const drawn = around.children.length > 0 || around.self !== null ? chosen : chosen.map(withoutChildren);
  const ids = idsOf(drawn);
  const servers = [...new Set(around.servers.map((server) => server.name))];
  let recursion = around.self;
  const loops = around.self === null;
  const nodes = drawn.map((node, at): WorkflowNode => {
    if (isEndless && at === drawn.length - 1) return { id: ids[at] ?? '', type: 'merge', config: {} };
    const recurses = recursion !== null && node.type === 'call' && at > 0;
    const children = recurses && recursion !== null ? [recursion] : around.children;
    // One call of itself, outside loops: more would double at every level.
    if (recurses) recursion = null;
    const before = drawn.slice(0, at).map(({ type }, earlier) => ({ id: ids[earlier] ?? '', type }));
    const usable = children.length > 0 ? node : withoutChildren(node);
    return grown(usable, ids[at] ?? '', { before, children, servers });
  });
  const grownEdges = [...mainEdges(drawn, nodes, ids), ...extraEdges(drawn, nodes, ids, loops)];
  const edges = isEndless ? endless(grownEdges, ids) : grownEdges;
  const [entry = ''] = ids;
  const isRoot =
    ids.filter((id) => edges.every((edge) => edge.to !== id)).length === 1 && !edges.some(({ to }) => to === entry);
  const other = ids[(seed.otherStart ?? 0) % ids.length] ?? entry;
  return {
    name: around.name,
    startNodes: [
      seed.rootEntry && isRoot
        ? { name: 'main', source: 'manual' }
        : { name: 'main', source: 'manual', entryNode: entry },
      { name: 'other', source: 'event', entryNode: other },
    ],
    nodes,
    edges,
    mcpServers: around.servers,
    backends: [{ name: 'second', provider: 'openai-compatible' }],
    triggers: [],
    httpRoutes: [],
  };
}

function grown({ type, config, retry }: NodeSeed, id: string, offer: Offer): WorkflowNode {
  return { id, type, config: config(offer), ...(retry === undefined ? {} : { retry }) };
}

function withoutChildren(node: NodeSeed): NodeSeed {
  if (!['call', 'parallel', 'map'].includes(node.type)) return node;
  return { ...node, type: 'merge', config: () => ({}) };
}

function idsOf(nodes: readonly NodeSeed[]): readonly string[] {
  const taken = new Set<string>();
  return nodes.map(({ oddId }, at) => {
    const id = oddId !== null && !taken.has(oddId) ? oddId : `n${at}`;
    taken.add(id);
    return id;
  });
}

/** From each node to the next one, over the label it usually gives. */
function mainEdges(
  seeds: readonly NodeSeed[],
  nodes: readonly WorkflowNode[],
  ids: readonly string[],
): readonly WorkflowEdge[] {
  return nodes.slice(1).flatMap((node, at) => {
    const from = nodes[at];
    const labels = KINDS[from?.type ?? '']?.labels ?? [undefined];
    // Conditions and switches mostly lead on whatever they say.
    const decides = from?.type === 'condition' || from?.type === 'switch';
    const answered = decides || seeds[at]?.leadsOn === true ? labels : labels.slice(0, 1);
    return answered.map((label) => edgeOf(ids[at] ?? '', node.id, label));
  });
}

function extraEdges(
  seeds: readonly NodeSeed[],
  nodes: readonly WorkflowNode[],
  ids: readonly string[],
  loops: boolean,
): readonly WorkflowEdge[] {
  const edges: WorkflowEdge[] = [];
  const main = new Set(mainEdges(seeds, nodes, ids).map(routeOf));
  for (const [at, { extra }] of seeds.entries()) {
    const labels = [...(KINDS[nodes[at]?.type ?? '']?.labels ?? []), 'nope'];
    for (const seed of extra) {
      const made = extraEdge(seed, at, labels, ids);
      if (made === null || (made.maxIterations !== undefined && !loops)) continue;
      if (main.has(routeOf(made)) && !seed.clash) continue;
      main.add(routeOf(made));
      edges.push(made);
    }
  }
  return edges;
}

function extraEdge(
  { to, label, loop }: EdgeSeed,
  at: number,
  labels: readonly (string | undefined)[],
  ids: readonly string[],
): WorkflowEdge | null {
  const when = labels[label % labels.length];
  if (loop !== null) return { ...edgeOf(ids[at] ?? '', ids[to % (at + 1)] ?? '', when), maxIterations: loop };
  const later = ids.slice(at + 1);
  const target = later[to % Math.max(1, later.length)];
  return target === undefined ? null : edgeOf(ids[at] ?? '', target, when);
}

function edgeOf(from: string, to: string, when: string | undefined): WorkflowEdge {
  return when === undefined ? { from, to } : { from, to, when };
}

function routeOf({ from, when }: WorkflowEdge): string {
  return JSON.stringify([from, when ?? null]);
}

/** The last node leads to itself for longer than any walk may go. */
function endless(edges: readonly WorkflowEdge[], ids: readonly string[]): readonly WorkflowEdge[] {
  const last = ids.at(-1) ?? '';
  return [...edges.filter(({ from }) => from !== last), { from: last, to: last, maxIterations: 20_000 }];
}
