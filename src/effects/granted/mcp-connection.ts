import type { Client } from '@modelcontextprotocol/client';
import type { McpError } from '../../types/mock.ts';
import { messageOf } from '../../values/message-of.ts';
import { VERSION } from '../../version.ts';
import type { McpSdk } from './mcp-sdk.ts';
import type { McpTransport } from './mcp-transport.ts';

/** How a server is spoken to at first: `auto` asks which revisions it knows, `legacy` says `initialize` at once. */
export type McpEra = 'auto' | 'legacy';

export interface McpConnectOptions {
  readonly era: McpEra;
  /** Milliseconds that a program has to say which revisions it knows; one that says nothing is asked to `initialize`. */
  readonly probeMs: number;
  readonly signal: AbortSignal;
}

/** What became of a request; texts follow the server's name. */
export type McpOutcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: McpError }
  /** The server failed on the way. */
  | { readonly kind: 'lost'; readonly why: string }
  /** It cannot be asked at all. */
  | { readonly kind: 'broken'; readonly why: string };

/** Longer timers fire at once. Time is up when the caller's signal says so. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Results reach the subject as the server wrote them. */
const AS_IT_IS = {
  '~standard': { version: 1, vendor: 'passk', validate: (value: unknown) => ({ value }) },
} as const;

/** One connected server, of whichever revision of the protocol. */
export class McpConnection {
  readonly transport: McpTransport;
  readonly #client: Client;
  readonly #sdk: McpSdk;

  private constructor(client: Client, transport: McpTransport, sdk: McpSdk) {
    this.#client = client;
    this.transport = transport;
    this.#sdk = sdk;
  }

  /** Connects. Rejects where the server is lost, or refuses; the transport is then to be closed. */
  static async open(
    sdk: McpSdk,
    transport: McpTransport,
    { era, probeMs, signal }: McpConnectOptions,
  ): Promise<McpConnection> {
    const client = new sdk.Client(
      { name: 'passk', version: VERSION },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } } },
    );
    // The first question of `auto` knows no signal.
    const leave = (): void => void transport.close();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const prior = era === 'legacy' ? { prior: { kind: 'legacy' } as const } : {};
      await client.connect(transport, { signal, timeout: NO_TIMEOUT_MS, ...prior });
    } finally {
      signal.removeEventListener('abort', leave);
    }
    return new McpConnection(client, transport, sdk);
  }

  /** How the server wants to be spoken to when it is connected again. */
  get era(): McpEra {
    return this.#client.getProtocolEra() === 'legacy' ? 'legacy' : 'auto';
  }

  /** Called once when the server is lost, or closed. */
  onClose(tell: () => void): void {
    this.#client.onclose = tell;
  }

  /** Never rejects. An aborted request is cancelled at the server. */
  async request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpOutcome> {
    // One signal for each request: the SDK keeps listening to the one it is given, and cancels what has long ended.
    const controller = new AbortController();
    const abort = (): void => controller.abort('the time is up');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      const options = { signal: controller.signal, timeout: NO_TIMEOUT_MS };
      const value = await this.#client.request({ method, params: { ...params } }, AS_IT_IS, options);
      return { kind: 'result', value };
    } catch (error) {
      if (controller.signal.aborted) return { kind: 'error', error: 'timeout' };
      const lost = this.transport.lost();
      if (lost !== null) return { kind: 'lost', why: `${lost} before it answered` };
      if (!(error instanceof this.#sdk.ProtocolError)) return { kind: 'lost', why: `failed: ${messageOf(error)}` };
      return { kind: 'error', error: { code: error.code, message: withoutPrefix(messageOf(error)) } };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.transport.close();
  }
}

/** Older SDKs put the code in front, at both ends: `MCP error -32602: …`. */
export function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error -?\d+: )+/, '');
}
