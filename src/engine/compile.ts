import { PasskError } from '../errors.ts';
import type { Read } from '../plugin/node-type.ts';
import type { RegisteredNode } from '../plugin/registry.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../types/workflow.ts';
import { entryNodeOf } from '../workflow/graph.ts';
import { dryStep } from './dry-step.ts';
import { type Graph, type GraphNode, MISSING_SLOT, PAYLOAD_SLOT, type SlotRead, TRIGGER_SLOT } from './graph.ts';
import type { GraphEdge, Route } from './route.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { Memos, type MemoLimit } from './memo.ts';
import { bitOf } from './note-answer.ts';
import { splitPath } from './path.ts';
import { plainStep } from './plain-step.ts';
import { groupBy } from '../values/group-by.ts';
import { messageOf } from '../values/message-of.ts';

export interface CompileOptions {
  readonly key: string;
  /** What all workflows of a program share, children included: the top-level workflow's. */
  readonly backends: readonly string[];
  readonly mcpServers: readonly string[];
  readonly mcpSampling?: Readonly<Record<string, string>>;
  readonly liveBackends?: readonly string[];
  readonly nodeTypes: ReadonlyMap<string, RegisteredNode>;
  readonly compileSchema: SchemaCompiler;
  readonly nodeOffset: number;
  readonly edgeOffset: number;
  readonly memoLimit: MemoLimit;
  /** True: nodes ask, and take what the ports put in place of an answer. */
  readonly dryRun: boolean;
}

/** A validated workflow with every name resolved, ready to be walked. */
export function compileWorkflow(workflow: Workflow, options: CompileOptions): Graph {
  const { key, nodeOffset, edgeOffset, memoLimit } = options;
  const { nodes, edges, startNodes } = workflow;
  const frame = compileFrame(workflow, options);
  const entries = entriesOf(workflow, frame);
  const [first] = startNodes;
  return {
    key,
    name: workflow.name,
    nodes: nodes.map((node, index) => compileNode(node, index, frame)),
    nodeOffset,
    edgeOffset,
    edgeCount: edges.length,
    entries,
    firstEntry: first === undefined ? -1 : (entries.get(first.name) ?? -1),
    triggerNode: frame.positions.get('trigger') ?? -1,
    memos: new Memos(nodes.length, memoLimit),
  };
}

/** What compiling a node needs of its workflow. */
interface Frame {
  readonly options: CompileOptions;
  /** The workflow's name. */
  readonly workflow: string;
  readonly positions: ReadonlyMap<string, number>;
  /** Out-edges by node. */
  readonly out: readonly (readonly GraphEdge[] | undefined)[];
}

function compileFrame(workflow: Workflow, options: CompileOptions): Frame {
  const positions = new Map(workflow.nodes.map(({ id }, index) => [id, index]));
  const out = new Array<GraphEdge[] | undefined>(workflow.nodes.length).fill(undefined);
  for (const [index, edge] of workflow.edges.entries()) {
    const compiled = compileEdge(edge, index, positionOf(edge.to, positions, workflow.name));
    const from = positions.get(edge.from);
    if (from === undefined) continue;
    const edges = out[from];
    if (edges === undefined) out[from] = [compiled];
    else edges.push(compiled);
  }
  return { options, workflow: workflow.name, positions, out };
}

/** Entry nodes by start node; of two start nodes with one name the first counts. */
function entriesOf(workflow: Workflow, { positions }: Frame): Graph['entries'] {
  const entries = new Map<string, number>();
  for (const { name } of workflow.startNodes) {
    const entry = entryNodeOf(workflow, name);
    if (entry !== null && !entries.has(name)) entries.set(name, positionOf(entry, positions, workflow.name));
  }
  return entries;
}

function positionOf(id: string, positions: Frame['positions'], workflow: string): number {
  const position = positions.get(id);
  if (position === undefined) throw new PasskError('INTERNAL', `Workflow "${workflow}" has no node "${id}".`);
  return position;
}

/** A step that code of the user makes. Throws `PLUGIN`, with the node, where that code fails. */
function createdByUser<Step>({ id, type }: WorkflowNode, create: () => Step): Step {
  try {
    return create();
  } catch (cause) {
    if (cause instanceof PasskError) throw cause;
    const why = `\`create\` of the node type "${type}" failed: ${messageOf(cause)}`;
    throw new PasskError('PLUGIN', `Node "${id}": ${why}`, { cause });
  }
}

function compileNode(node: WorkflowNode, index: number, frame: Frame): GraphNode {
  const { options, positions, workflow } = frame;
  const { backends, mcpServers, mcpSampling = {}, liveBackends = [], compileSchema } = options;
  const registered = options.nodeTypes.get(node.type);
  if (registered === undefined) {
    throw new PasskError('PLUGIN', `Node "${node.id}": no node type "${node.type}" is loaded.`);
  }
  const { nodeType, user } = registered;
  const view = { id: node.id, workflow, backends, mcpServers, mcpSampling, liveBackends, compileSchema };
  const plain = user
    ? createdByUser(node, () => plainStep(node.type, nodeType.create(node.config, view)))
    : nodeType.create(node.config, view);
  const step = options.dryRun ? dryStep(nodeType, plain) : plain;
  const { capability, engineRun, isLoop } = nodeType;
  const needs = nodeType.needs(node.config);
  const bit = user || capability === undefined ? -1 : bitOf(capability);
  const out = frame.out[index] ?? [];
  return {
    index,
    id: node.id,
    type: node.type,
    step,
    reads: step.reads.map((read) => resolveRead(read, positions)),
    target: step.target ?? 0,
    inputs: new Array<undefined>(step.reads.length).fill(undefined),
    retry: engineRun === true ? null : (node.retry ?? null),
    routes: routesOf(out),
    hasOutEdges: out.length > 0,
    bitsLow: bit >= 0 && bit < 32 ? 1 << bit : 0,
    bitsHigh: bit >= 32 ? 1 << (bit - 32) : 0,
    isModel: needs.includes('model'),
    isLoop: isLoop === true,
    runsChildren: needs.includes('children'),
    memoDepth: user ? null : step.reads.length,
  };
}

function resolveRead(read: Read, positions: Frame['positions']): SlotRead {
  if (read.from === 'payload') return { slot: PAYLOAD_SLOT, segments: [] };
  const segments = splitPath(read.path);
  const root = segments.shift();
  if (root === 'trigger') return { slot: TRIGGER_SLOT, segments };
  return { slot: positions.get(root ?? '') ?? MISSING_SLOT, segments };
}

function compileEdge(edge: WorkflowEdge, index: number, to: number): GraphEdge {
  return { index, to, when: edge.when ?? null, maxIterations: edge.maxIterations ?? -1 };
}

function routesOf(edges: readonly GraphEdge[]): GraphNode['routes'] {
  const byLabel = groupBy(edges, ({ when }) => when ?? undefined);
  return new Map(Array.from(byLabel, ([label, group]) => [label, routeOf(group)]));
}

function routeOf(edges: readonly GraphEdge[]): Route {
  const [first] = edges;
  return { edges, only: edges.length === 1 && first !== undefined && first.maxIterations < 0 ? first : null };
}
