import type { Move } from '../plugin/node-type.ts';
import type { Reply } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { countWork } from '../values/work.ts';
import type { Graph, GraphNode } from './graph.ts';
import type { Planned } from './memo.ts';
import { MAX_VALUE_BYTES, TOO_LARGE, valueBytes } from './value-bytes.ts';

/** What a node's step wants first, for these inputs: kept from an earlier trial, or asked of the step and kept. */
export function firstMove({ memos }: Graph, node: GraphNode, inputs: readonly (Json | undefined)[]): Planned {
  const hit = memos.find(node, inputs);
  if (hit !== undefined) return hit;
  const planned = plan(node, node.step.begin(inputs));
  memos.keep(node, inputs, planned);
  return planned;
}

/** What a node's step wants after a reply to what it asked. */
export function nextMove({ memos }: Graph, node: GraphNode, ask: Planned, reply: Reply): Planned {
  const hit = ask.replies?.get(reply);
  if (hit !== undefined) return hit;
  if (ask.move.kind !== 'ask' || node.step.after === undefined) {
    throw new Error(`Node type "${node.type}" asked but has no "after" to go on with.`);
  }
  const planned = plan(node, node.step.after(ask.move.state, reply));
  memos.keepReply(node, ask, reply, planned);
  return planned;
}

function plan(node: GraphNode, move: Move): Planned {
  if (move.kind !== 'done') return { move, route: null, bytes: 0, replies: null };
  const bytes = valueBytes(move.output);
  countWork(bytes >> 2);
  if (bytes > MAX_VALUE_BYTES) return { move: TOO_LARGE, route: null, bytes: 0, replies: null };
  return { move, route: node.routes.get(move.branch) ?? null, bytes, replies: null };
}
