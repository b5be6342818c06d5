import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to `/api/chat`, as far as answers depend on it. */
export interface OllamaQuestion {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly images?: readonly string[];
  }[];
}

/**
 * How a request is answered. `line`: in one line; `lines`: a stream in two, which arrive together; `error`: a stream ends with
 * Ollama's line for errors, anything else is refused with it; `never`: it is not.
 */
export interface OllamaBehaviour {
  readonly text: string;
  readonly how: 'line' | 'lines' | 'error' | 'never';
}

export interface OllamaServer {
  readonly url: string;
  readonly asked: readonly OllamaQuestion[];
  behave: (asked: OllamaQuestion) => OllamaBehaviour;
  close(): Promise<void>;
}

/** A server that speaks Ollama's protocol of chats, streamed or not. Source: docs/api.md of Ollama. */
export async function startOllamaServer(behave: OllamaServer['behave']): Promise<OllamaServer> {
  const asked: OllamaQuestion[] = [];
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    if (request.url === '/api/tags') return void response.end('{"models":[]}');
    const question = JSON.parse(text) as OllamaQuestion;
    asked.push(question);
    perform(ollama.behave(question), question, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ollama: OllamaServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return ollama;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function perform({ text, how }: OllamaBehaviour, { model, stream }: OllamaQuestion, response: ServerResponse): void {
  const line = (content: string, done: boolean): string =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content }, done })}\n`;
  const error = `${JSON.stringify({ error: 'the model runner has stopped' })}\n`;
  if (how === 'never') return;
  response.writeHead(how === 'error' && !stream ? 500 : 200, { 'content-type': 'application/x-ndjson' });
  if (!stream) return void response.end(how === 'error' ? error : line(text, true));
  const middle = Math.ceil(text.length / 2);
  const end = how === 'error' ? error : line(text.slice(middle), true);
  response.end(how === 'line' ? line(text, true) : `${line(text.slice(0, middle), false)}${end}`);
}
