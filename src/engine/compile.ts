import { PasskError } from '../errors.ts';
import type { Read } from '../plugin/node-type.ts';
import type { RegisteredNode } from '../plugin/registry.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../types/workflow.ts';
import { type Lookup, lookup, positions as positionsOf } from '../values/lookup.ts';
import { entryNodeOf } from '../workflow/graph.ts';
import { Recent } from '../values/recent.ts';
import { sameData } from '../values/same-data.ts';
import type { Graph, GraphEdge, GraphNames, GraphNode, Route, SlotRead } from './graph.ts';
import { MISSING_SLOT, PAYLOAD_SLOT, TRIGGER_SLOT } from './graph.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { Memos, type MemoLimit } from './memo.ts';
import { bitOf } from './note-answer.ts';
import { splitPath } from './path.ts';

export interface CompileOptions {
  readonly key: string;
  /** What all workflows of a program share, children included: the top-level workflow's. */
  readonly backends: readonly string[];
  readonly mcpServers: readonly string[];
  readonly nodeTypes: ReadonlyMap<string, RegisteredNode>;
  readonly compileSchema: SchemaCompiler;
  readonly nodeOffset: number;
  readonly edgeOffset: number;
  readonly memoLimit: MemoLimit;
}

/** A validated workflow with every name resolved, ready to be walked. */
export function compileWorkflow(workflow: Workflow, options: CompileOptions): Graph {
  const { key, nodeOffset, edgeOffset, memoLimit } = options;
  const { nodes, names, frame } = sharedParts(workflow, options);
  return {
    key,
    name: workflow.name,
    nodes,
    nodeOffset,
    edgeOffset,
    edgeCount: workflow.edges.length,
    entries: frame.entries,
    firstEntry: frame.firstEntry,
    triggerNode: frame.triggerNode,
    names,
    memos: new Memos(nodes.length, memoLimit),
  };
}

/** What no trial changes: all programs may have it in common whose workflows are alike. */
interface SharedParts {
  /** The last workflow that had these nodes. */
  workflow: Workflow;
  nodes: readonly GraphNode[];
  names: GraphNames;
  readonly frame: Frame;
}

/** What follows from the names of nodes, the edges between them and the start nodes. */
interface Frame extends Pick<Graph, 'entries' | 'firstEntry' | 'triggerNode'> {
  readonly options: CompileOptions;
  readonly positions: Lookup<string, number>;
  /** Out-edges by node. */
  readonly out: readonly (readonly GraphEdge[] | undefined)[];
}

/** Suites run many scenarios over few workflows, or over workflows that differ in a few nodes, in the order of their files. */
const recent = new Recent<SharedParts>(4);

function sharedParts(workflow: Workflow, options: CompileOptions): SharedParts {
  const known = recent.find((one) => hasSameFrame(one, workflow, options));
  if (known === undefined) {
    const frame = compileFrame(workflow, options);
    const nodes = workflow.nodes.map((node, index) => compileNode(node, index, frame, workflow.name));
    return recent.keep({ workflow, nodes, names: namesOf(workflow), frame });
  }
  const { workflow: before, frame, nodes: shared } = known;
  let own: GraphNode[] | null = null;
  for (let index = 0; index < shared.length; index++) {
    const node = workflow.nodes[index] as WorkflowNode;
    if (isSameNode(shared[index] as GraphNode, before, node, workflow)) continue;
    own ??= shared.slice();
    own[index] = compileNode(node, index, frame, workflow.name);
  }
  // Programs that were made before have their nodes for themselves.
  known.workflow = workflow;
  if (own === null) return known;
  known.nodes = own;
  if (own.some(({ type }, index) => type !== known.names.nodes[index]?.type)) known.names = namesOf(workflow);
  return known;
}

function hasSameFrame({ workflow: known, frame }: SharedParts, workflow: Workflow, given: CompileOptions): boolean {
  const { options } = frame;
  return (
    known.nodes.length === workflow.nodes.length &&
    known.edges.length === workflow.edges.length &&
    options.nodeTypes === given.nodeTypes &&
    options.compileSchema === given.compileSchema &&
    workflow.nodes.every(({ id }, at) => id === known.nodes[at]?.id) &&
    workflow.edges.every((edge, at) => isSameEdge(edge, known.edges[at] as WorkflowEdge)) &&
    sameData(known.startNodes, workflow.startNodes) &&
    sameData(options.backends, given.backends) &&
    sameData(options.mcpServers, given.mcpServers)
  );
}

function isSameEdge(one: WorkflowEdge, other: WorkflowEdge): boolean {
  if (one === other) return true;
  const { from, to, when, maxIterations } = one;
  return from === other.from && to === other.to && when === other.when && maxIterations === other.maxIterations;
}

/** True: the node of the same name in a workflow with the same frame does what this one would. */
function isSameNode({ index, memoDepth }: GraphNode, before: Workflow, node: WorkflowNode, now: Workflow): boolean {
  // What code of the user keeps of the node it was made for, nobody knows.
  if (memoDepth === null) return false;
  const known = before.nodes[index] as WorkflowNode;
  if (TELLS_NAME.has(node.type) && before.name !== now.name) return false;
  if (known === node) return true;
  return known.type === node.type && sameData(known.config, node.config) && sameData(known.retry, node.retry);
}

function namesOf({ nodes, edges }: Workflow): GraphNames {
  return {
    nodes: nodes.map(({ id, type }) => ({ node: id, type })),
    edges: edges.map(({ from, to, when }) => ({ from, to, when: when ?? null })),
  };
}

function compileFrame(workflow: Workflow, options: CompileOptions): Frame {
  const { nodes, edges, startNodes } = workflow;
  const positions = positionsOf(nodes.map(({ id }) => id));
  const position = (id: string): number => {
    const found = positions.get(id);
    if (found === undefined) throw new PasskError('INTERNAL', `Workflow "${workflow.name}" has no node "${id}".`);
    return found;
  };
  const out = new Array<GraphEdge[] | undefined>(nodes.length);
  for (let index = 0; index < edges.length; index++) {
    const edge = edges[index] as WorkflowEdge;
    const compiled = compileEdge(edge, index, position(edge.to));
    const from = positions.get(edge.from);
    if (from === undefined) continue;
    const known = out[from];
    if (known === undefined) out[from] = [compiled];
    else known.push(compiled);
  }
  const starts: string[] = [];
  const entries: number[] = [];
  for (const start of startNodes) {
    const entry = entryNodeOf(workflow, start.name);
    if (entry !== null && !starts.includes(start.name)) {
      starts.push(start.name);
      entries.push(position(entry));
    }
  }
  const [first] = startNodes;
  const entryOf = lookup(starts, entries);
  return {
    options,
    positions,
    out,
    entries: entryOf,
    firstEntry: first === undefined ? -1 : (entryOf.get(first.name) ?? -1),
    triggerNode: positions.get('trigger') ?? -1,
  };
}

/** Node types whose texts name their workflow. */
const TELLS_NAME: ReadonlySet<string> = new Set(['agent_loop']);

/** `name` is the workflow's. */
function compileNode(node: WorkflowNode, index: number, frame: Frame, name: string): GraphNode {
  const { options, positions } = frame;
  const { backends, mcpServers, compileSchema } = options;
  const registered = options.nodeTypes.get(node.type);
  if (registered === undefined) {
    throw new PasskError('PLUGIN', `Node "${node.id}": no node type "${node.type}" is loaded.`);
  }
  const { nodeType, user } = registered;
  // What is not said to tell the name does not get to know it: another program's could be told instead.
  const workflow = user || TELLS_NAME.has(node.type) ? name : '';
  const step = nodeType.create(node.config, { id: node.id, workflow, backends, mcpServers, compileSchema });
  const bit = user ? -1 : bitOf(node.type);
  const { length } = step.reads;
  const out = frame.out[index] ?? NO_EDGES;
  return {
    index,
    id: node.id,
    type: node.type,
    step,
    reads: length === 0 ? NO_READS : step.reads.map((read) => resolveRead(read, positions)),
    target: step.target ?? 0,
    inputs: length === 0 ? NO_INPUTS : new Array<undefined>(length).fill(undefined),
    retry: ENGINE_RUN.has(node.type) ? null : (node.retry ?? null),
    routes: routesOf(out),
    hasOutEdges: out.length > 0,
    bitsLow: bit >= 0 && bit < 32 ? 1 << bit : 0,
    bitsHigh: bit >= 32 ? 1 << (bit - 32) : 0,
    isModel: node.type === 'llm_infer' || node.type === 'agent_loop',
    isLoop: node.type === 'agent_loop',
    runsChildren: nodeType.needs(node.config).includes('children'),
    memoDepth: user ? null : length,
  };
}

/** Composition and pauses are run by the engine itself, so `retry` means nothing there. */
const ENGINE_RUN: ReadonlySet<string> = new Set(['call', 'parallel', 'map', 'pause_for_approval']);

const NO_EDGES: readonly GraphEdge[] = [];
const NO_READS: readonly SlotRead[] = [];
const NO_INPUTS: undefined[] = [];
const payloadRead: SlotRead = { slot: PAYLOAD_SLOT, segments: [] };

function resolveRead(read: Read, positions: Lookup<string, number>): SlotRead {
  if (read.from === 'payload') return payloadRead;
  const segments = splitPath(read.path);
  const root = segments.shift();
  if (root === 'trigger') return { slot: TRIGGER_SLOT, segments };
  return { slot: positions.get(root ?? '') ?? MISSING_SLOT, segments };
}

function compileEdge(edge: WorkflowEdge, index: number, to: number): GraphEdge {
  return { index, to, when: edge.when ?? null, maxIterations: edge.maxIterations ?? -1 };
}

const NO_ROUTES: GraphNode['routes'] = lookup([], []);

function routesOf(edges: readonly GraphEdge[]): GraphNode['routes'] {
  const [first] = edges;
  if (first === undefined) return NO_ROUTES;
  if (edges.length === 1) return new OnlyRoute(first.when ?? undefined, routeOf(edges));
  const labels: (string | undefined)[] = [];
  const groups: GraphEdge[][] = [];
  for (const edge of edges) {
    const label = edge.when ?? undefined;
    const known = groups[labels.indexOf(label)];
    if (known !== undefined) known.push(edge);
    else {
      labels.push(label);
      groups.push([edge]);
    }
  }
  return lookup(labels, groups.map(routeOf));
}

/** What most nodes have. */
class OnlyRoute implements Lookup<string | undefined, Route> {
  private readonly label: string | undefined;
  private readonly route: Route;

  constructor(label: string | undefined, route: Route) {
    this.label = label;
    this.route = route;
  }

  get(label: string | undefined): Route | undefined {
    return label === this.label ? this.route : undefined;
  }
}

function routeOf(edges: readonly GraphEdge[]): Route {
  const [first] = edges;
  return { edges, only: edges.length === 1 && first !== undefined && first.maxIterations < 0 ? first : null };
}
