import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const FOLDER = fileURLToPath(new URL('../../../.passk/otel/', import.meta.url));
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('otel');

/** Tests that need OpenTelemetry's own packages skip without them, unless they are required. */
export const skipsOtel = !existsSync(`${FOLDER}node_modules/@opentelemetry/sdk-trace-base`) && !required;

/** The same for its published protobuf definitions. */
export const OTEL_PYTHON = fileURLToPath(new URL('../../../.passk/python-otel/bin/python', import.meta.url));
export const skipsOtelProto = !existsSync(OTEL_PYTHON) && !required;

/** What the packages export is not known to the compiler, because they are no dependencies of passk. */
// biome-ignore lint/suspicious/noExplicitAny: packages without types here.
export type Untyped = any;

/** One of OpenTelemetry's packages, as `.ci/run` installs them. */
export function otelPackage(name: string): Untyped {
  return createRequire(`${FOLDER}package.json`)(name);
}

export interface Receiver {
  /** Such as `http://127.0.0.1:4318`. */
  readonly url: string;
  /** Requests in the order received. */
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** As they came. */
  readonly bytes: number;
  /** Without compression. */
  readonly body: string;
}

/** What a collector answers; null: nothing, ever. */
export type ReceiverAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
} | null;

/** A collector that keeps what it is sent. `answerTo`: what it says to a request, by how many came before. */
export async function startReceiver(
  answerTo: (request: ReceivedRequest, before: number) => ReceiverAnswer = () => ({}),
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const whole = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const one = { path: request.url ?? '', headers: request.headers, bytes: sent.length, body: whole.toString('utf8') };
    const answer = answerTo(one, received.length);
    received.push(one);
    if (answer === null) return;
    const { status = 200, headers = {}, body = '{"partialSuccess":{}}' } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
