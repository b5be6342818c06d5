import { codeOf } from '../../values/file-problem.ts';
import type {
  Client,
  deserializeMessage,
  ProtocolError,
  serializeMessage,
  SdkError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The parts of the MCP SDK in use. */
export interface McpSdk {
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  readonly ProtocolError: typeof ProtocolError;
  readonly SdkError: typeof SdkError;
  readonly SdkHttpError: typeof SdkHttpError;
  readonly serializeMessage: typeof serializeMessage;
  readonly deserializeMessage: typeof deserializeMessage;
}

/** What to say of a server when the optional peer is not there: one line with the command. */
export const MCP_SDK_MISSING =
  'needs a package that is not installed; `npm install @modelcontextprotocol/client@2` adds it';

/** Loads the optional peer when a server is first asked; null: it is not installed. */
export async function loadMcpSdk(): Promise<McpSdk | null> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (error) {
    if (isModuleMissing(error)) return null;
    throw error;
  }
}

function isModuleMissing(error: unknown): boolean {
  return codeOf(error) === 'ERR_MODULE_NOT_FOUND';
}
