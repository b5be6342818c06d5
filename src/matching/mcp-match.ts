import type { McpRequest } from '../plugin/mcp-request.ts';
import type { McpMatch } from '../types/mock.ts';
import { holdsJson } from '../values/holds-json.ts';

/** A test of calls to MCP servers. A request that names no server goes to the only one. */
export function fitsMcp({ server, tool, resource, args }: McpMatch, request: McpRequest): boolean {
  if (server !== undefined && request.server !== null && request.server !== server) return false;
  if (tool !== undefined && (request.op !== 'tool' || request.target !== tool)) return false;
  if (resource !== undefined && (request.op !== 'resource' || request.target !== resource)) return false;
  return args === undefined || (request.op === 'tool' && holdsJson(request.args, args));
}
