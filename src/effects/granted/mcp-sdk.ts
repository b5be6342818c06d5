import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** The parts of the MCP SDK in use. */
export interface McpSdk {
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  readonly McpError: typeof McpError;
  readonly ResultSchema: typeof ResultSchema;
  readonly serializeMessage: typeof serializeMessage;
  readonly deserializeMessage: typeof deserializeMessage;
}

/** What to say of a server when the optional peer is not there: one line with the command. */
export const MCP_SDK_MISSING =
  'needs a package that is not installed; `npm install @modelcontextprotocol/sdk@1` adds it';

/** Loads the optional peer when a server is first asked; null: it is not installed. */
export async function loadMcpSdk(): Promise<McpSdk | null> {
  try {
    const [client, http, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/shared/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { ...client, ...http, ...stdio, ...types };
  } catch (error) {
    if (isModuleMissing(error)) return null;
    throw error;
  }
}

function isModuleMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
