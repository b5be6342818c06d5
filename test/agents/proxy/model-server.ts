import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/types/json.ts';

/** A server of OpenAI's chat completions that keeps what it was asked, and a tool's host. */
export interface ModelServer {
  readonly url: string;
  readonly asked: JsonObject[];
  readonly toolCalls: string[];
  /** Called with each request; gives the message of the answer. */
  answer: (body: JsonObject) => JsonObject;
  close(): Promise<void>;
}

/** Listens on a port of the system's choice. `answer` starts as the words "Prices are 5 USD, according to the source." */
export async function startModelServer(): Promise<ModelServer> {
  const asked: JsonObject[] = [];
  const toolCalls: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        toolCalls.push(request.url ?? '');
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"price":5}');
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject;
      asked.push(body);
      const message = server_.answer(body);
      if (body.stream === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(streamOf(message));
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(whole(message)));
    });
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const { port } = server.address() as AddressInfo;
  const server_: ModelServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    toolCalls,
    answer: () => ({ role: 'assistant', content: 'Prices are 5 USD, according to the source.' }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return server_;
}

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const HEAD = { id: 'c1', created: 1, model: 'm' };

function whole(message: JsonObject): JsonObject {
  const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
  return {
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: USAGE,
  };
}

function streamOf(message: JsonObject): string {
  const { content, tool_calls: calls } = message;
  const words = typeof content === 'string' ? (content.match(/\S+\s*/g) ?? []) : [];
  const deltas: JsonObject[] = [{ role: 'assistant', content: '' }, ...words.map((word) => ({ content: word }))];
  if (Array.isArray(calls))
    deltas.push({ tool_calls: calls.map((call, index) => ({ ...(call as JsonObject), index })) });
  const event = (choices: JsonObject[], usage: JsonObject | null): string =>
    `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...(usage && { usage }) })}\n\n`;
  return [
    ...deltas.map((delta) => event([{ index: 0, delta, finish_reason: null }], null)),
    event([{ index: 0, delta: {}, finish_reason: Array.isArray(calls) ? 'tool_calls' : 'stop' }], null),
    event([], USAGE),
    'data: [DONE]\n\n',
  ].join('');
}
