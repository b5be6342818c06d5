import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWhole } from '../../values/read-whole.ts';
import { type AnswerMcp, loadMcpServer } from './answer-mcp.ts';
import type { ServedTools } from './served-tools.ts';

/** Serves the tools of sessions over MCP, on the loopback. Needs closing. */
export interface ToolServer {
  serve(tools: ServedTools): Served;
  close(): void;
}

/** The tools of one session, at an address that only its agent is told. */
export interface Served {
  readonly url: string;
  /** Ends it: later requests get 410. */
  end(): void;
}

const MOST_BYTES = 1 << 20;

/** Opens a server at any free port. Throws `USAGE` where the SDK is missing. */
export async function openToolServer(): Promise<ToolServer> {
  const answerMcp = await loadMcpServer();
  const sessions = new Map<string, ServedTools>();
  const server = createServer((request, response) => {
    const tools = sessions.get(request.url?.split('?', 1)[0] ?? '');
    void answer(request, response, { tools, answerMcp });
  });
  await listening(server);
  // A run that is over does not wait for agents that still hold a connection.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    serve: (tools) => {
      const path = `/${randomBytes(24).toString('base64url')}/mcp`;
      sessions.set(path, tools);
      return { url: `http://127.0.0.1:${port}${path}`, end: () => void sessions.delete(path) };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answering {
  /** Undefined: no session has this path, or not any more. */
  readonly tools: ServedTools | undefined;
  readonly answerMcp: AnswerMcp;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { tools, answerMcp }: Answering,
): Promise<void> {
  try {
    if (tools === undefined) return refuse(response, 410, 'There is no such session, or it is over.');
    // Nothing is told unasked, so that nobody listens.
    if (request.method !== 'POST') return refuse(response, 405, 'Only POST is answered.');
    const whole = await readWhole(request, MOST_BYTES);
    if (whole === null) return refuse(response, 413, `A request may have ${MOST_BYTES} bytes.`);
    const body = parsed(whole.toString('utf8'));
    if (body === undefined) return refuse(response, 400, 'This is no JSON.');
    await answerMcp(request, response, { tools, body });
  } catch {
    // The client has gone, or says what no client would.
    if (response.headersSent) response.destroy();
    else refuse(response, 400, 'The request cannot be answered.');
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
