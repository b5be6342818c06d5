import type { ToolCall } from '../../faults/chaos/compile-chaos.ts';
import type { HostRequest, HttpRequest, McpRequest, ProcessRequest } from '../../plugin/request.ts';

/** A request that calls a tool; of the host, one that does a node's work. */
export type ToolRequest = HttpRequest | ProcessRequest | McpRequest | HostRequest;

/**
 * What a call goes by: its node, the kind of tool as nodes and agent loops name it, and what is called: a host with and
 * without its port, a program with and without its folder, an MCP tool or resource alone and as `server/name`, the type of a
 * live node.
 */
export function toolCall(request: ToolRequest, node: string): ToolCall {
  switch (request.port) {
    case 'http': {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      const hosts = url === null ? [] : [url.hostname, url.host];
      return { names: [node, 'http_request', ...hosts], url: request.url };
    }
    case 'process': {
      const { command } = request;
      return { names: [node, 'shell_run', command, command.slice(command.lastIndexOf('/') + 1)], url: null };
    }
    case 'mcp': {
      const { op, server, target } = request;
      const names = [node, op === 'tool' ? 'call_mcp_tool' : 'read_mcp_resource', target];
      return { names: server === null ? names : [...names, `${server}/${target}`], url: null };
    }
    case 'host':
      return { names: [node, request.name.slice(request.name.indexOf(':') + 1)], url: null };
  }
}
