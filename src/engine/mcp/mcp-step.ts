import type { DoneMove, Move, NodeView } from '../../plugin/node-type.ts';
import type { Reply } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import { declinedText, type McpExchange, mcpMove, withDeclined } from './mcp-exchange.ts';
import { doneWith } from '../reply-move.ts';
import { fromState, toState } from '../step-state.ts';

export interface AfterMcpOptions {
  readonly view: NodeView;
  /** What the node gives; absent: what the server answered. */
  readonly finish?: (value: Json) => DoneMove;
}

/** What follows the reply to a node that asks one thing of a server of MCP, which may ask back before it answers. */
export function afterMcp(state: Json, reply: Reply, { view, finish }: AfterMcpOptions): Move {
  const exchange = state === null ? null : fromState<McpExchange>(state);
  const move = mcpMove(exchange, reply, { backendOf: (server) => samplingBackend(view, server), toStepState: toState });
  return move ?? doneWith(withUnanswered(reply, exchange), finish);
}

/** The backend that answers for a server; undefined: none does. */
export function samplingBackend({ mcpSampling = {} }: NodeView, server: string | null): string | undefined {
  if (server !== null) return Object.hasOwn(mcpSampling, server) ? mcpSampling[server] : undefined;
  return Object.values(mcpSampling)[0];
}

/** The reply with the questions that nothing answered. */
export function withUnanswered(reply: Reply, exchange: McpExchange | null): Reply {
  if (exchange === null || exchange.declined.length === 0) return reply;
  if (reply.kind === 'value') return { ...reply, value: withDeclined(reply.value, exchange) };
  return reply.kind === 'error' ? { ...reply, message: `${reply.message}${declinedText(exchange)}` } : reply;
}
