import { Buffer } from 'node:buffer';
import type { LookupFunction } from 'node:net';
import type { Client } from 'undici';
import { httpErrorText } from '../../outside-errors.ts';
import { guardedConnector, type RefuseAddress } from './guarded-connector.ts';
import { bodyTooLong, HttpFailure, httpFailure, isBodyTooLong } from './http-failure.ts';
import type { HttpLimits } from './http-limits.ts';
import { readBody } from './read-body.ts';
import { type Hop, redirectTarget } from './redirect.ts';

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; of several with one name, the last. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a redirect: nobody reads it. */
  readonly body: Buffer;
}

/** A hop, whose body may be compressed. */
interface Outgoing extends Omit<Hop, 'body'> {
  readonly body: string | Buffer | null;
}

export interface ExchangeOptions {
  readonly lookup: LookupFunction;
  readonly refuse: RefuseAddress;
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
}

/**
 * One request and its response over a connection of its own, closed when it returns: no trial meets the connection of
 * another. Follows nothing. Throws `HttpFailure`.
 */
export async function exchange(hop: Outgoing, { signal, ...options }: ExchangeOptions): Promise<HttpResponse> {
  const connection = await openConnection(hop.url.origin, { ...options, isKept: false });
  try {
    return await connection.send(hop, signal);
  } finally {
    await connection.close();
  }
}

/** A connection to one origin, for one request at a time. */
export interface HttpConnection {
  /** One request and its response. Follows nothing. Throws `HttpFailure`. */
  send(hop: Outgoing, signal: AbortSignal): Promise<HttpResponse>;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

export interface ConnectionOptions extends Omit<ExchangeOptions, 'signal'> {
  /** True: it stays open for the next request. */
  readonly isKept: boolean;
}

/** How long a connection may be idle. Most servers close one after five seconds: what is sent just then is lost. */
const IDLE_MS = 1000;

export async function openConnection(
  origin: string,
  { lookup, refuse, limits, isKept }: ConnectionOptions,
): Promise<HttpConnection> {
  // Without a time of its own: its timer would outlive the request.
  const connector = await guardedConnector({ lookup, refuse, timeoutMs: 0 });
  const { Client } = await import('undici');
  const client = new Client(origin, {
    connect: connector.connect,
    // 0 closes the connection after each request.
    pipelining: isKept ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: limits.responseHeaderBytes,
    maxResponseSize: limits.responseBodyBytes,
    // The signal alone ends it: a limit per chunk would let a slow server go on for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (hop, signal) => {
      connector.expectResponse();
      return sendOn(client, hop, { limits, signal });
    },
    close: async () => {
      connector.end();
      await client.destroy();
    },
  };
}

async function sendOn(
  client: Client,
  hop: Outgoing,
  { limits, signal }: Pick<ExchangeOptions, 'limits' | 'signal'>,
): Promise<HttpResponse> {
  const { origin, target } = hop.url;
  let hasHeaders = false;
  try {
    const { method, headers, body } = hop;
    const response = await client.request({ method, path: target, headers: { ...headers }, body, signal });
    const status = response.statusCode;
    const received = flatHeaders(response.headers);
    hasHeaders = true;
    response.body.on('error', () => undefined);
    if (redirectTarget(status, received) !== null) {
      response.body.destroy();
      return { status, headers: received, body: Buffer.alloc(0) };
    }
    const encoding = hasNoBody(method, status, received) ? '' : (received['content-encoding'] ?? '');
    const read = await readBody(response.body, { encoding, maxBytes: limits.responseBodyBytes, origin });
    return { status, headers: received, body: read };
  } catch (error) {
    if (signal.aborted) throw new HttpFailure(httpErrorText('timeout', origin));
    if (isBodyTooLong(error)) throw bodyTooLong(origin, limits.responseBodyBytes);
    throw httpFailure(error, origin, hasHeaders);
  }
}

function hasNoBody(method: string, status: number, headers: Readonly<Record<string, string>>): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || headers['content-length'] === '0';
}

function flatHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    (typeof value === 'string' ? value : value?.at(-1)) ?? '',
  ]);
  return Object.fromEntries(flat);
}
