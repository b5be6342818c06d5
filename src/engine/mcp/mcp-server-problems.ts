import { hintFor } from '../../text/did-you-mean.ts';
import type { CheckedNode, NodeProblem } from '../../types/node-problem.ts';

/** What is wrong with the server that a node names, or leaves open. */
export function mcpServerProblems(
  { server }: { readonly server?: string },
  { id, mcpServers: servers }: CheckedNode,
): readonly NodeProblem[] {
  if (server === undefined) {
    if (servers.length < 2) return [];
    return [
      {
        code: 'ambiguous_mcp_server',
        message: `Node "${id}" names no server, and ${servers.length} are declared.`,
        hint: `Name one of them with server: ${servers.join(', ')}.`,
      },
    ];
  }
  if (servers.includes(server)) return [];
  return [
    {
      code: 'unknown_mcp_server',
      message: `Node "${id}" uses MCP server "${server}", which is not declared.`,
      at: ['server'],
      hint: () => hintFor(server, servers, 'MCP servers'),
    },
  ];
}
