import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Listening {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** First lines and headers of the requests so far. */
  readonly seen: readonly Seen[];
}

export interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A real HTTP server on the loopback, gone when the test is, or when it is told to stop listening. */
export async function anHttpServer(listener: RequestListener): Promise<Listening & { stop(): void }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      listener(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, seen, stop: () => server.close() };
}

/** A server that says what no HTTP server would. */
export async function aRawServer(onRequest: (socket: Socket) => void): Promise<Listening> {
  const open = new Set<Socket>();
  const server = createSocketServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, seen: [] };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
