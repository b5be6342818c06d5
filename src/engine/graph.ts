import type { Step } from '../plugin/node-type.ts';
import type { Json } from '../types/json.ts';
import type { Retry } from '../types/workflow.ts';
import type { Memos } from './memo.ts';
import type { Route } from './route.ts';

/** A compiled workflow: what a walk goes over. All trials of a program share it; none changes it but for `memos`. */
export interface Graph {
  /** `''` for the top-level workflow, else the key in the scenario's children. */
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  /** Visits of nodes are counted here: `nodeOffset + node.index`. */
  readonly nodeOffset: number;
  /** Edges are counted here: `edgeOffset + edge.index`. */
  readonly edgeOffset: number;
  readonly edgeCount: number;
  /** Entry node by start node's name. */
  readonly entries: ReadonlyMap<string, number>;
  /** Entry node of the first start node; −1: the workflow has none. */
  readonly firstEntry: number;
  /** True when a node bears the id `trigger`, whose output then replaces the trigger entry. */
  readonly triggerNode: number;
  /** Moves of its nodes that need not be made again. */
  readonly memos: Memos;
}

/** A compiled node. */
export interface GraphNode {
  readonly index: number;
  readonly id: string;
  readonly type: string;
  readonly step: Step;
  readonly reads: readonly SlotRead[];
  /** Position of the read that names the target of its effects; −1: none. */
  readonly target: number;
  /** Room for the values of `reads`, so that a visit allocates none; valid until the step has begun. */
  readonly inputs: (Json | undefined)[];
  readonly retry: Retry | null;
  /** Out-edges by branch label; `undefined` is the unlabelled route. */
  readonly routes: ReadonlyMap<string | undefined, Route>;
  readonly hasOutEdges: boolean;
  /** Capability bits of the node type: positions 0–31 and 32–63 of the matrix. */
  readonly bitsLow: number;
  readonly bitsHigh: number;
  /** Its output is a model's answer, whatever it read. */
  readonly isModel: boolean;
  /** Requests but the model's are tool calls, whose targets the model chose. */
  readonly isLoop: boolean;
  /** It asks for children, which bounds how deep it may stand. */
  readonly runsChildren: boolean;
  /** Inputs by which its moves are kept; null: called anew on each visit (code of the user). */
  readonly memoDepth: number | null;
}

/** A context path with its root resolved. */
export interface SlotRead {
  /** Node position, or one of the constants below. */
  readonly slot: number;
  readonly segments: readonly string[];
}

/** The trigger entry: kind merged with the payload. */
export const TRIGGER_SLOT = -1;
/** The raw payload. */
export const PAYLOAD_SLOT = -2;
/** A root that names nothing: always not found. */
export const MISSING_SLOT = -3;

/** The entry `trigger` of a walk's context. A payload field named `kind` overwrites the reserved one. */
export function triggerEntry(kind: string, payload: Json): Json {
  if (payload !== null && typeof payload === 'object' && !Array.isArray(payload)) return { kind, ...payload };
  return { kind, input: payload };
}
