import type { HttpRequest, McpRequest, ProcessRequest } from '../plugin/request.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';

/**
 * All names that a call of a tool goes by: its node first, then the program with and without its folder, the tool or resource of
 * an MCP server, or the host of a URL, with and without its port.
 */
export function callNames({
  node,
  request,
}: {
  readonly node: string;
  readonly request: HttpRequest | ProcessRequest | McpRequest;
}): readonly string[] {
  switch (request.port) {
    case 'http':
      return [node, ...hostNames(request.url)];
    case 'process':
      return [node, request.command, request.command.slice(request.command.lastIndexOf('/') + 1)];
    case 'mcp':
      return [node, request.target];
  }
}

function hostNames(text: string): readonly string[] {
  const url = canonicalUrl(text);
  if ('problem' in url) return [];
  const host = url.origin.slice(url.origin.indexOf('//') + 2);
  return [host, host.replace(/:\d+$/, '')];
}
