import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove, notText } from '../error-move.ts';
import { chooseServer } from '../mcp/mcp-parts.ts';
import { afterMcp } from '../mcp/mcp-step.ts';
import type { ReadMcpResourceKeys } from '../../types/definitions/node-keys.ts';

/** Reads a resource of an MCP server by its URI. */
export const readMcpResource: NodeType<ReadMcpResourceKeys> = {
  kind: 'node',
  type: 'read_mcp_resource',
  summary: 'Reads a resource of an MCP server.',
  capability: 'read_mcp_resource',
  needs: () => ['mcp'],
  labels: () => [],
  calls: ({ server }) => [{ port: 'mcp', op: 'resource', ...(server !== undefined && { server }) }],
  create: ({ resourceFrom, server }, view) => {
    const { mcpServers } = view;
    const chosen = chooseServer(server, mcpServers);
    return {
      reads: [{ from: 'path', path: resourceFrom }],
      begin: ([uri]) => {
        if (typeof uri !== 'string') return notText(resourceFrom, uri, 'resource_from');
        if (!chosen.ok) return errorMove('workflow', chosen.problem);
        const request = { port: 'mcp', op: 'resource', server: chosen.server, target: uri, args: null } as const;
        return { kind: 'ask', request, state: null };
      },
      after: (state, reply) => afterMcp(state, reply, { view }),
    };
  },
};
