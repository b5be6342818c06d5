import { PasskError } from '../errors.ts';
import type { Read } from '../plugin/node-type.ts';
import type { RegisteredNode } from '../plugin/registry.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../types/workflow.ts';
import { type Lookup, lookup, positions as positionsOf } from '../values/lookup.ts';
import { entryNodeOf } from '../workflow/graph.ts';
import { Recent } from '../values/recent.ts';
import { sameData } from '../values/same-data.ts';
import type { Graph, GraphEdge, GraphNode, Route, SlotRead } from './graph.ts';
import { MISSING_SLOT, PAYLOAD_SLOT, TRIGGER_SLOT } from './graph.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { Memo, type MemoLimit } from './memo.ts';
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
  const shared = recent.find((one) => fits(one, workflow, options)) ?? compileShared(workflow, options);
  return {
    key,
    name: workflow.name,
    nodes: shared.nodes.map((node) => ownNode(node, nodeOffset, memoLimit)),
    edgeOffset,
    edgeCount: workflow.edges.length,
    entries: shared.entries,
    firstEntry: shared.firstEntry,
    triggerNode: shared.triggerNode,
  };
}

/** What no trial changes: all programs may have it in common whose workflows differ in nothing but their name. */
interface SharedGraph extends Pick<Graph, 'entries' | 'firstEntry' | 'triggerNode'> {
  readonly workflow: Workflow;
  readonly options: CompileOptions;
  readonly nodes: readonly SharedNode[];
  /** Some of its steps tells the workflow's name. */
  readonly tellsName: boolean;
}

/** A node but for what belongs to one program. */
interface SharedNode extends Omit<GraphNode, 'tallyIndex' | 'inputs' | 'memo'> {
  /** Null: code of the user, whose moves are not kept. */
  readonly memoDepth: number | null;
}

/** Suites run many scenarios over few workflows, in the order of their files. */
const recent = new Recent<SharedGraph>(4);

function fits(
  { workflow: known, options, tellsName }: SharedGraph,
  workflow: Workflow,
  given: CompileOptions,
): boolean {
  return (
    known.nodes.length === workflow.nodes.length &&
    known.edges.length === workflow.edges.length &&
    (!tellsName || known.name === workflow.name) &&
    options.nodeTypes === given.nodeTypes &&
    options.compileSchema === given.compileSchema &&
    workflow.nodes.every((node, at) => sameNode(node, known.nodes[at] as WorkflowNode)) &&
    workflow.edges.every((edge, at) => sameEdge(edge, known.edges[at] as WorkflowEdge)) &&
    sameData(known.startNodes, workflow.startNodes) &&
    sameData(options.backends, given.backends) &&
    sameData(options.mcpServers, given.mcpServers)
  );
}

function sameNode(one: WorkflowNode, other: WorkflowNode): boolean {
  if (one === other) return true;
  return (
    one.id === other.id &&
    one.type === other.type &&
    sameData(one.config, other.config) &&
    sameData(one.retry, other.retry)
  );
}

function sameEdge(one: WorkflowEdge, other: WorkflowEdge): boolean {
  if (one === other) return true;
  const { from, to, when, maxIterations } = one;
  return from === other.from && to === other.to && when === other.when && maxIterations === other.maxIterations;
}

function compileShared(workflow: Workflow, options: CompileOptions): SharedGraph {
  const positions = positionsOf(workflow.nodes.map(({ id }) => id));
  const position = (id: string): number => {
    const found = positions.get(id);
    if (found === undefined) throw new PasskError('INTERNAL', `Workflow "${workflow.name}" has no node "${id}".`);
    return found;
  };
  const { name, nodes, edges } = workflow;
  const outEdges = new Array<GraphEdge[] | undefined>(nodes.length);
  for (let index = 0; index < edges.length; index++) {
    const edge = edges[index] as WorkflowEdge;
    const compiled = compileEdge(edge, index, position(edge.to));
    const from = positions.get(edge.from);
    if (from === undefined) continue;
    const out = outEdges[from];
    if (out === undefined) outEdges[from] = [compiled];
    else out.push(compiled);
  }
  const starts: string[] = [];
  const entries: number[] = [];
  for (const start of workflow.startNodes) {
    const entry = entryNodeOf(workflow, start.name);
    if (entry !== null && !starts.includes(start.name)) {
      starts.push(start.name);
      entries.push(position(entry));
    }
  }
  const [first] = workflow.startNodes;
  const entryOf = lookup(starts, entries);
  const shared = {
    workflow,
    options,
    nodes: nodes.map((node, index) =>
      compileNode(node, outEdges[index] ?? NO_EDGES, { index, name, positions, options }),
    ),
    tellsName: nodes.some(({ type }) => TELLS_NAME.has(type)),
    entries: entryOf,
    firstEntry: first === undefined ? -1 : (entryOf.get(first.name) ?? -1),
    triggerNode: positions.get('trigger') ?? -1,
  };
  // What code of the user keeps of the node it was made for, nobody knows.
  return shared.nodes.every(({ memoDepth }) => memoDepth !== null) ? recent.keep(shared) : shared;
}

/** Node types whose texts name their workflow. */
const TELLS_NAME: ReadonlySet<string> = new Set(['agent_loop']);

/** A node's place in its workflow. */
interface Place {
  readonly index: number;
  /** The workflow's. */
  readonly name: string;
  readonly positions: Lookup<string, number>;
  readonly options: CompileOptions;
}

function compileNode(
  node: WorkflowNode,
  out: readonly GraphEdge[],
  { index, name, positions, options }: Place,
): SharedNode {
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
  return {
    index,
    id: node.id,
    type: node.type,
    step,
    reads: step.reads.length === 0 ? NO_READS : step.reads.map((read) => resolveRead(read, positions)),
    target: step.target ?? 0,
    retry: ENGINE_RUN.has(node.type) ? null : (node.retry ?? null),
    routes: routesOf(out),
    hasOutEdges: out.length > 0,
    bitsLow: bit >= 0 && bit < 32 ? 1 << bit : 0,
    bitsHigh: bit >= 32 ? 1 << (bit - 32) : 0,
    isModel: node.type === 'llm_infer' || node.type === 'agent_loop',
    isLoop: node.type === 'agent_loop',
    runsChildren: nodeType.needs(node.config).includes('children'),
    memoDepth: user ? null : step.reads.length,
  };
}

/** The node as one program has it, with its own room for inputs and its own kept moves. */
function ownNode(node: SharedNode, nodeOffset: number, memoLimit: MemoLimit): GraphNode {
  const count = node.reads.length;
  return {
    index: node.index,
    id: node.id,
    type: node.type,
    tallyIndex: nodeOffset + node.index,
    step: node.step,
    reads: node.reads,
    target: node.target,
    inputs: count === 0 ? NO_INPUTS : new Array<undefined>(count).fill(undefined),
    retry: node.retry,
    routes: node.routes,
    hasOutEdges: node.hasOutEdges,
    bitsLow: node.bitsLow,
    bitsHigh: node.bitsHigh,
    isModel: node.isModel,
    isLoop: node.isLoop,
    runsChildren: node.runsChildren,
    memo: node.memoDepth === null ? null : new Memo(node.memoDepth, memoLimit),
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
