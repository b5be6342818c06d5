import type { HttpRequest, McpRequest, ProcessRequest } from '../plugin/request.ts';

/**
 * All names that a call of a tool goes by: its node first, the kind of tool as nodes and agent loops name it, then what is
 * called: a host without and with its port, a program with and without its folder, an MCP tool or resource alone and as
 * `server/name`.
 */
export function callNames(node: string, request: HttpRequest | ProcessRequest | McpRequest): readonly string[] {
  switch (request.port) {
    case 'http': {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      return [node, 'http_request', ...(url === null ? [] : [url.hostname, url.host])];
    }
    case 'process': {
      const { command } = request;
      return [node, 'shell_run', command, command.slice(command.lastIndexOf('/') + 1)];
    }
    case 'mcp': {
      const { op, server, target } = request;
      const names = [node, op === 'tool' ? 'call_mcp_tool' : 'read_mcp_resource', target];
      return server === null ? names : [...names, `${server}/${target}`];
    }
  }
}
