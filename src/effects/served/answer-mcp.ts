import type { IncomingMessage, ServerResponse } from 'node:http';
import { PasskError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import type { ServedTools } from './served-tools.ts';

/** Answers one request of a client of MCP. `body`: what it sends, as data. */
export type AnswerMcp = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: { readonly tools: ServedTools; readonly body: unknown },
) => Promise<void>;

/** Loads the official SDK's server side. Throws `USAGE` where the package is missing. */
export async function loadMcpServer(): Promise<AnswerMcp> {
  const { Server, StreamableHTTPServerTransport, types } = await importSdk();
  return async (request, response, { tools, body }) => {
    // Nothing is kept between requests: a client may connect anew for each message, or from several places.
    const server = new Server({ name: 'passk', version: VERSION }, { capabilities: { tools: {} } });
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({
      tools: tools.list.map(({ name, description, parameters }) => ({
        name,
        description,
        inputSchema: { ...parameters, type: 'object' as const },
      })),
    }));
    server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => {
      const { text, isError } = tools.call(params.name, params.arguments ?? {});
      return { content: [{ type: 'text' as const, text }], isError };
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    // The SDK's own types differ where optional properties may not be undefined.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, body);
  };
}

async function importSdk() {
  try {
    const [{ Server }, { StreamableHTTPServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, StreamableHTTPServerTransport, types };
  } catch (error) {
    throw new PasskError('USAGE', 'Tools cannot be served over MCP: a package is missing.', {
      hint: '`npm install --save-dev @modelcontextprotocol/sdk@1` adds it.',
      cause: error,
    });
  }
}
