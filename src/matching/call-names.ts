import type { HttpRequest, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';

type ToolCall = { readonly port: 'http' | 'process' } | { readonly port: 'mcp'; readonly op: McpRequest['op'] };

/** The word by which node types, agent loops and faults name a kind of call. */
export function toolWord(call: ToolCall): string {
  switch (call.port) {
    case 'http':
      return 'http_request';
    case 'process':
      return 'shell_run';
    case 'mcp':
      return call.op === 'tool' ? 'call_mcp_tool' : 'read_mcp_resource';
  }
}

/**
 * All names that a call of a tool goes by: its node first, the kind of tool as nodes and agent loops name it, then what is
 * called: a host without and with its port, a program with and without its folder, an MCP tool or resource alone and as
 * `server/name`.
 */
export function callNames(node: string, request: HttpRequest | ProcessRequest | McpRequest): readonly string[] {
  const word = toolWord(request);
  switch (request.port) {
    case 'http': {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      return [node, word, ...(url === null ? [] : [url.hostname, url.host])];
    }
    case 'process': {
      const { command } = request;
      return [node, word, command, command.slice(command.lastIndexOf('/') + 1)];
    }
    case 'mcp': {
      const { server, target } = request;
      const names = [node, word, target];
      return server === null ? names : [...names, `${server}/${target}`];
    }
  }
}
