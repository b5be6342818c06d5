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

/** Loads the official SDK's server side, for clients of any revision. Throws `USAGE` where the package is missing. */
export async function loadMcpServer(): Promise<AnswerMcp> {
  const { createMcpHandler, isLegacyRequest, Server, WebStandardStreamableHTTPServerTransport } = await importSdk();
  return async (request, response, { tools, body }) => {
    const open = (): InstanceType<typeof Server> => {
      const server = new Server({ name: 'passk', version: VERSION }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({
        tools: tools.list.map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: { ...parameters, type: 'object' as const },
        })),
      }));
      server.setRequestHandler('tools/call', ({ params }) => {
        const { text, isError } = tools.call(params.name, params.arguments ?? {});
        return { content: [{ type: 'text' as const, text }], isError };
      });
      return server;
    };
    const { method = 'POST', headers } = request;
    const asked = new Request('http://127.0.0.1/mcp', { method, headers: plainHeaders(headers) });
    const parsed = { parsedBody: body };
    // Nothing is kept between requests: a client may connect anew for each message, or from several places.
    if (!(await isLegacyRequest(asked, body))) {
      const handler = createMcpHandler(open, { legacy: 'reject' });
      response.on('close', () => void handler.close());
      return send(response, await handler.fetch(asked, parsed));
    }
    const server = open();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    await server.connect(transport);
    return send(response, await transport.handleRequest(asked, parsed));
  };
}

function plainHeaders(headers: IncomingMessage['headers']): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
}

async function importSdk() {
  try {
    return await import('@modelcontextprotocol/server');
  } catch (error) {
    throw new PasskError('USAGE', 'Tools cannot be served over MCP: a package is missing.', {
      hint: '`npm install --save-dev @modelcontextprotocol/server@2` adds it.',
      cause: error,
    });
  }
}
