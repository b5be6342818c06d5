import type { ToolCall } from '../../faults/chaos/compile-chaos.ts';
import { callNames } from '../../matching/call-names.ts';
import type { HostRequest, HttpRequest, ProcessRequest } from '../../plugin/request.ts';
import type { McpRequest } from '../../plugin/mcp-request.ts';

/** A request that calls a tool; of the host, one that does a node's work. */
export type ToolRequest = HttpRequest | ProcessRequest | McpRequest | HostRequest;

/** What a call goes by: the names that invariants know it by too; for a live node, its type. */
export function toolCall(request: ToolRequest, node: string): ToolCall {
  if (request.port === 'host') return { names: [node, request.name.slice(request.name.indexOf(':') + 1)], url: null };
  return { names: callNames(node, request), url: request.port === 'http' ? request.url : null };
}
