import type { LookupFunction } from 'node:net';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { CanonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import { httpFailure } from './http-failure.ts';
import { type McpFetch, openMcpFetch } from './mcp-fetch.ts';
import type { McpSdk } from './mcp-sdk.ts';
import type { McpTransport } from './mcp-transport.ts';
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
/** A stream that ended has been read by then. */
const READ_MS = 100;

/**
 * A server over streamable HTTP: the SDK's transport over connections that are judged like any other of the run. What
 * the SDK leaves waiting for ever, a stream that ends without the answer, is a loss here.
 */
export class HttpTransport implements McpTransport {
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
    inner.onerror = (error) => {
      if (error.message.startsWith('Maximum reconnection attempts')) this.#lose('closed the connection');
    };
    this.#inner = inner;
    await inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#why !== null) return;
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
    try {
      await this.#inner?.send(message);
    } catch (error) {
      const status = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
      if (status === null) this.#loseConnection(error);
      else if (status === 404) this.#lose('has forgotten the session');
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
    return '';
  }

  isHopeless(): boolean {
    return this.#hopeless;
  }

  async close(): Promise<void> {
    if (this.#inner !== null && this.#why === null) await within(GOODBYE_MS, this.#inner.terminateSession());
    this.#lose('was closed');
    await this.#inner?.close();
    await this.#fetch?.close();
  }

  #checkAnswered(id: string | number): void {
    if (this.#unanswered.has(id)) this.#lose('closed the connection');
  }

  #loseConnection(error: unknown): void {
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
