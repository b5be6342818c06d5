import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../types/json.ts';
import { parseJson } from '../../values/exact-json.ts';
import { isRecord } from '../../values/is-json.ts';
import { readWhole } from '../../values/read-whole.ts';
import { type AnswerMcp, loadMcpServer } from './answer-mcp.ts';
import type { ServedModel } from './served-model.ts';
import type { ServedTools } from './served-tools.ts';

/** Serves what agents outside of the process need of their sessions, on the loopback. Needs closing. */
export interface SessionServer {
  serve(session: ServedSession): Served;
  close(): void;
}

/** What one session serves; null: not that. */
export interface ServedSession {
  readonly tools: ServedTools | null;
  readonly model: ServedModel | null;
}

/** One session, at addresses that only its agent is told. */
export interface Served {
  /** Where its tools are, over MCP. */
  readonly toolsUrl: string;
  /** Where its model is, as clients of OpenAI take it; those of Anthropic may add their path to it. */
  readonly modelUrl: string;
  /** Ends it: later requests get 410. */
  end(): void;
}

/** Of a request to tools, and to a model: more is neither a call nor a conversation. */
const MOST_BYTES = { tools: 1 << 20, model: 1 << 24 };

/** Opens a server at any free port. Throws `USAGE` where `servesTools` and the SDK is missing. */
export async function openSessionServer(servesTools: boolean): Promise<SessionServer> {
  const answerMcp = servesTools ? await loadMcpServer() : null;
  const sessions = new Map<string, ServedSession>();
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
    const session = sessions.get(name);
    void answer({ request, response, session, path: `/${rest.join('/')}`, answerMcp });
  });
  // What a model thinks about may take minutes; who waits decides how long.
  server.requestTimeout = 0;
  await listening(server);
  // A run that is over does not wait for agents that still hold a connection.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    serve: (session) => {
      const name = randomBytes(24).toString('base64url');
      sessions.set(name, session);
      const url = `http://127.0.0.1:${port}/${name}`;
      return { toolsUrl: `${url}/mcp`, modelUrl: `${url}/v1`, end: () => void sessions.delete(name) };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answering {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined: there is none of this name, or not any more. */
  readonly session: ServedSession | undefined;
  /** Behind the session's address. */
  readonly path: string;
  /** Null: no session has tools. */
  readonly answerMcp: AnswerMcp | null;
}

async function answer({ request, response, session, path, answerMcp }: Answering): Promise<void> {
  try {
    if (session === undefined) return refuse(response, 410, 'There is no such session, or it is over.');
    // Nothing is told unasked, so that nobody listens.
    if (request.method !== 'POST') return refuse(response, 405, 'Only POST is answered.');
    const { tools, model } = session;
    const asksTools = path === '/mcp';
    const most = asksTools ? MOST_BYTES.tools : MOST_BYTES.model;
    const whole = await readWhole(request, most);
    if (whole === null) return refuse(response, 413, `A request may have ${most} bytes.`);
    // Of what goes to a model, long numbers keep their digits.
    const body = parsed(whole.toString('utf8'), asksTools ? JSON.parse : parseJson);
    if (body === undefined) return refuse(response, 400, 'This is no JSON.');
    if (asksTools && tools !== null && answerMcp !== null) return await answerMcp(request, response, { tools, body });
    if (asksTools || model === null) return refuse(response, 404, 'The session does not serve this.');
    if (!isRecord(body)) return refuse(response, 400, 'A request to a model is an object.');
    // Parsed a moment ago.
    await answerModel(response, model, { path, body: body as JsonObject });
  } catch {
    // The client has gone, or says what no client would.
    if (response.headersSent) response.destroy();
    else refuse(response, 400, 'The request cannot be answered.');
  }
}

async function answerModel(
  response: ServerResponse,
  model: ServedModel,
  asked: Omit<Parameters<ServedModel['answer']>[0], 'signal'>,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    const { status, contentType, text } = await model.answer({ ...asked, signal: gone.signal });
    if (!response.destroyed) response.writeHead(status, { 'content-type': contentType }).end(text);
  } finally {
    response.off('close', leave);
  }
}

/** In words that clients of MCP and of models show. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

/** Undefined: it is no JSON. */
function parsed(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
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
