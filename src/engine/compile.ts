import { PasskError } from '../errors.ts';
import type { RegisteredNode } from '../plugin/registry.ts';
import type { Workflow, WorkflowEdge } from '../types/workflow.ts';
import { entryNodeOf } from '../workflow/graph.ts';
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
  const positions = new Map(workflow.nodes.map((node, index) => [node.id, index]));
  const position = (id: string): number => {
    const found = positions.get(id);
    if (found === undefined) throw new PasskError('INTERNAL', `Workflow "${workflow.name}" has no node "${id}".`);
    return found;
  };
  const edges = workflow.edges.map((edge, index) => compileEdge(edge, index, position(edge.to)));
  const outEdges = groupBy(edges, (edge) => workflow.edges[edge.index]?.from ?? '');
  const nodes = workflow.nodes.map((node, index): GraphNode => {
    const registered = options.nodeTypes.get(node.type);
    if (registered === undefined) {
      throw new PasskError('PLUGIN', `Node "${node.id}": no node type "${node.type}" is loaded.`);
    }
    const step = registered.nodeType.create(node.config, {
      id: node.id,
      workflow: workflow.name,
      backends: options.backends,
      mcpServers: options.mcpServers,
      compileSchema: options.compileSchema,
    });
    const out = outEdges.get(node.id) ?? [];
    const bit = registered.user ? -1 : bitOf(node.type);
    return {
      index,
      id: node.id,
      type: node.type,
      tallyIndex: options.nodeOffset + index,
      step,
      reads: step.reads.map((read) => (read.from === 'payload' ? payloadRead : resolvePath(read.path, positions))),
      target: step.target ?? 0,
      inputs: new Array<undefined>(step.reads.length).fill(undefined),
      retry: ENGINE_RUN.has(node.type) ? null : (node.retry ?? null),
      routes: routesOf(out),
      hasOutEdges: out.length > 0,
      bitsLow: bit >= 0 && bit < 32 ? 1 << bit : 0,
      bitsHigh: bit >= 32 ? 1 << (bit - 32) : 0,
      isModel: node.type === 'llm_infer' || node.type === 'agent_loop',
      isLoop: node.type === 'agent_loop',
      runsChildren: registered.nodeType.needs(node.config).includes('children'),
      memo: registered.user ? null : new Memo(step.reads.length, options.memoLimit),
    };
  });
  const entries = new Map<string, number>();
  for (const start of workflow.startNodes) {
    const entry = entryNodeOf(workflow, start.name);
    if (entry !== null && !entries.has(start.name)) entries.set(start.name, position(entry));
  }
  const [first] = workflow.startNodes;
  return {
    key: options.key,
    name: workflow.name,
    nodes,
    edgeOffset: options.edgeOffset,
    edgeCount: edges.length,
    entries,
    firstEntry: first === undefined ? -1 : (entries.get(first.name) ?? -1),
    triggerNode: positions.get('trigger') ?? -1,
  };
}

/** Composition and pauses are run by the engine itself, so `retry` means nothing there. */
const ENGINE_RUN: ReadonlySet<string> = new Set(['call', 'parallel', 'map', 'pause_for_approval']);

const payloadRead: SlotRead = { slot: PAYLOAD_SLOT, segments: [] };

function resolvePath(path: string, positions: ReadonlyMap<string, number>): SlotRead {
  const [root = '', ...segments] = splitPath(path);
  if (root === 'trigger') return { slot: TRIGGER_SLOT, segments };
  return { slot: positions.get(root) ?? MISSING_SLOT, segments };
}

function compileEdge(edge: WorkflowEdge, index: number, to: number): GraphEdge {
  return { index, to, when: edge.when ?? null, maxIterations: edge.maxIterations ?? -1 };
}

const NO_ROUTES: ReadonlyMap<string | undefined, Route> = new Map();

function routesOf(edges: readonly GraphEdge[]): ReadonlyMap<string | undefined, Route> {
  const [first] = edges;
  if (first === undefined) return NO_ROUTES;
  if (edges.length === 1) return new Map([[first.when ?? undefined, routeOf(edges)]]);
  const byLabel = groupBy(edges, (edge) => edge.when ?? undefined);
  return new Map([...byLabel].map(([label, group]) => [label, routeOf(group)]));
}

function routeOf(edges: readonly GraphEdge[]): Route {
  const [first] = edges;
  return { edges, only: edges.length === 1 && first !== undefined && first.maxIterations < 0 ? first : null };
}

function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
