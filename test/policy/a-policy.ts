import type { Policy } from '../../src/types/policy.ts';
import type { McpServer } from '../../src/types/workflow.ts';

/** A policy that allows nothing but what is given. */
export function aPolicy(given: { readonly [F in keyof Policy]?: Partial<Policy[F]> } = {}): Policy {
  return {
    fs: { read: [], write: [], delete: [], list: [], ...given.fs },
    env: { readKeys: [], ...given.env },
    http: { urls: [], methods: [], ...given.http },
    shell: { commands: [], ...given.shell },
    mcp: { servers: [], tools: [], resources: [], ...given.mcp },
  };
}

/** A declared MCP server that lists nothing but what is given. */
export function aServer(name: string, given: Partial<McpServer> = {}): McpServer {
  return { name, command: [], allowTools: [], allowResources: [], env: {}, ...given };
}

/** A world without links, where a path leads where it says. */
export function asIs(path: string): string {
  return path;
}
