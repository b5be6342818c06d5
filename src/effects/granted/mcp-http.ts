import type { LookupFunction } from 'node:net';
import type { JSONRPCMessage, StreamableHTTPClientTransport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { CanonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import { httpFailure } from './http/http-failure.ts';
import { type McpFetch, openMcpFetch } from './mcp-fetch.ts';
import type { McpSdk } from './mcp-sdk.ts';
import { CLOSED, type McpTransport } from './mcp-transport.ts';
import type { NetGrant } from './net-grant.ts';
import { within } from './within.ts';

export interface HttpServer {
  readonly url: CanonicalUrl;
  /** Secrets in place. */
  readonly headers: Readonly<Record<string, string>>;
  readonly grant: NetGrant;
  readonly lookup: LookupFunction;
  /** Takes secrets out of what the server said. */
  readonly scrub: (text: string) => string;
}

/** What a server gets to take note that its session is over. */
const GOODBYE_MS = 500;
/** Why a server may know nothing of the address. */
const NO_ENDPOINT = ': is this its address, and does it speak streamable HTTP? SSE alone is not spoken here';
/** A stream that ended has been read by then. */
const READ_MS = 100;

/**
 * A server over streamable HTTP: the SDK's transport over connections that are judged like any other of the run. What
 * the SDK leaves waiting for ever, a stream that ends without the answer, is a loss here.
 */
export class HttpTransport implements McpTransport {
  /** Since revision 2026-07-28 the end of its stream takes a request back. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #server: HttpServer;
  readonly #sdk: McpSdk;
  readonly #unanswered = new Set<string | number>();
  #inner: StreamableHTTPClientTransport | null = null;
  #fetch: McpFetch | null = null;
  #why: string | null = null;
  #hopeless = false;
  /** With which a request was last refused; null: none was. */
  #status: number | null = null;

  constructor(server: HttpServer, sdk: McpSdk) {
    this.#server = server;
    this.#sdk = sdk;
  }

  async start(): Promise<void> {
    const { url, headers, grant, lookup } = this.#server;
    this.#fetch = await openMcpFetch({
      lookup,
      refuse: (address) => grant.refuseAddress(url, address),
      onEnd: (id) => setTimeout(() => this.#checkAnswered(id), READ_MS),
    });
    const inner = new this.#sdk.StreamableHTTPClientTransport(new URL(url.href), {
      fetch: this.#fetch.fetch,
      requestInit: { headers: { ...headers } },
    });
    inner.onmessage = (message) => {
      if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
      this.onmessage?.(message);
    };
    this.#inner = inner;
    await inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#why !== null) return;
    const id = 'method' in message && 'id' in message ? message.id : null;
    const taken = takenBack(message);
    if (id !== null) this.#unanswered.add(id);
    if (taken !== null) this.#unanswered.delete(taken);
    try {
      const watched = id === null ? options : { ...options, onRequestStreamEnd: () => this.#checkAnswered(id) };
      // The SDK's own types differ where optional properties may not be undefined.
      await this.#inner?.send(message, watched as Parameters<StreamableHTTPClientTransport['send']>[1]);
    } catch (error) {
      if (id !== null) this.#unanswered.delete(id);
      if (options.requestSignal?.aborted === true) throw error;
      const status = error instanceof this.#sdk.SdkHttpError ? error.status : 0;
      if (status !== 0) this.#status = status;
      if (!(error instanceof this.#sdk.SdkError)) this.#loseConnection(error);
      else if (status === 404 && this.#inner?.sessionId !== undefined) this.#lose('has forgotten the session');
      else if (status === 429 || status >= 500) this.#lose(`refused with HTTP ${status}`);
      throw error;
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion(version);
  }

  lost(): string | null {
    return this.#why;
  }

  said(): string {
    const status = this.#status;
    if (status === null) return '';
    return `; it answered HTTP ${status}${status === 404 || status === 405 ? NO_ENDPOINT : ''}`;
  }

  isHopeless(): boolean {
    return this.#hopeless;
  }

  async close(): Promise<void> {
    if (this.#inner !== null && this.#why === null) await within(GOODBYE_MS, this.#inner.terminateSession());
    this.#lose(CLOSED);
    await this.#inner?.close();
    await this.#fetch?.close();
  }

  #checkAnswered(id: string | number): void {
    if (this.#unanswered.has(id)) this.#lose('closed the connection');
  }

  #loseConnection(error: unknown): void {
    if (error instanceof SyntaxError) {
      this.#lose('answered with what is no JSON');
      return;
    }
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const failure = httpFailure(cause, this.#server.url.origin, false);
    this.#hopeless = failure.ungranted;
    this.#lose(`cannot be reached: ${failure.message}`);
  }

  #lose(why: string): void {
    if (this.#why !== null) return;
    this.#why = visibleText(this.#server.scrub(why));
    this.onclose?.();
  }
}

/** The request that a message takes back; null: none. */
function takenBack(message: JSONRPCMessage): string | number | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
