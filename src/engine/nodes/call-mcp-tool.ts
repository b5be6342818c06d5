import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove } from '../error-move.ts';
import { afterMcp } from '../mcp/mcp-step.ts';
import { chooseServer, mcpDone } from '../mcp/mcp-parts.ts';
import type { CallMcpToolKeys } from '../../types/definitions/node-keys.ts';

/** Calls a tool of an MCP server; the branch is `error` when the result says so. */
export const callMcpTool: NodeType<CallMcpToolKeys> = {
  kind: 'node',
  type: 'call_mcp_tool',
  summary: 'Calls a tool of an MCP server.',
  capability: 'call_mcp_tool',
  needs: () => ['mcp'],
  labels: () => ['error'],
  calls: ({ tool, server }) => [{ port: 'mcp', op: 'tool', target: tool, ...(server !== undefined && { server }) }],
  create: ({ tool, argsFrom, server }, view) => {
    const { mcpServers } = view;
    const chosen = chooseServer(server, mcpServers);
    return {
      reads: argsFrom === undefined ? [] : [{ from: 'path', path: argsFrom }],
      begin: ([args = null]) => {
        if (!chosen.ok) return errorMove('workflow', chosen.problem);
        const request = { port: 'mcp', op: 'tool', server: chosen.server, target: tool, args } as const;
        return { kind: 'ask', request, state: null };
      },
      after: (state, reply) => afterMcp(state, reply, { view, finish: mcpDone }),
    };
  },
};
