import type { LookupFunction } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { guardedConnector, type RefuseAddress } from './guarded-connector.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import { markIntegers, unmarkIntegers } from '../../values/exact-json.ts';

export interface McpFetchOptions {
  readonly lookup: LookupFunction;
  readonly refuse: RefuseAddress;
  /** The stream that was to answer a request has ended, and cannot be taken up again. */
  readonly onEnd: (id: string | number) => void;
}

/** `fetch` for one server, over judged connections of its own. */
export interface McpFetch {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

/** Bytes of one response, a stream's included. */
const LONGEST_RESPONSE = 16 << 20;

/** Opens it; undici is loaded now. */
export async function openMcpFetch({ lookup, refuse, onEnd }: McpFetchOptions): Promise<McpFetch> {
  const { Agent, buildConnector, fetch } = await import('undici');
  const connector = guardedConnector({ build: buildConnector, lookup, refuse, timeoutMs: HTTP_LIMITS.timeoutMs });
  const dispatcher = new Agent({
    connect: connector.connect,
    maxHeaderSize: HTTP_LIMITS.responseHeaderBytes,
    maxResponseSize: LONGEST_RESPONSE,
    // The caller's signal alone ends a call: some tools take their time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const running = new Map<string | number, AbortController>();

  return {
    fetch: async (url, init = {}) => {
      const { method = 'GET', headers, body, signal, redirect } = init;
      const requestHeaders = new Headers(headers);
      // The stream of what a server says unasked: nobody here would read it.
      if (method === 'GET' && !requestHeaders.has('last-event-id')) return new Response(null, { status: 405 });
      const text = typeof body === 'string' ? unmarkIntegers(body) : null;
      const { id, cancels } = text === null ? { id: null, cancels: null } : idsIn(text);
      const stop = new AbortController();
      if (id !== null) running.set(id, stop);
      const response = await fetch(url, {
        method,
        headers: Object.fromEntries(requestHeaders),
        body: text,
        redirect: redirect ?? 'manual',
        signal: AbortSignal.any(signal ? [signal, stop.signal] : [stop.signal]),
        dispatcher,
      });
      if (cancels !== null) running.get(cancels)?.abort();
      const { status } = response;
      const plain = Object.fromEntries(response.headers);
      const ended = (resumable: boolean): void => {
        if (id === null) return;
        running.delete(id);
        if (!resumable) onEnd(id);
      };
      const isStream = plain['content-type']?.includes('text/event-stream') === true;
      const read = isBodiless(status) ? null : watched(response.body, ended, isStream);
      return new Response(read, { status, headers: plain });
    },
    close: async () => {
      connector.end();
      await dispatcher.destroy();
    },
  };
}

/** The request that a message asks, and the one that it takes back. */
function idsIn(text: string): { readonly id: string | number | null; readonly cancels: string | number | null } {
  const message: {
    readonly id?: unknown;
    readonly method?: unknown;
    readonly params?: { readonly requestId?: unknown };
  } = JSON.parse(text);
  const cancels = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
  return { id: message.method === undefined ? null : idOf(message.id), cancels: idOf(cancels) };
}

function idOf(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The same bytes; tells when they end. A stream whose events have ids can be taken up where it ended. */
async function* observed(
  body: AsyncIterable<Uint8Array>,
  ended: (resumable: boolean) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let resumable = false;
  try {
    for await (const chunk of body) {
      resumable ||= /^id:/m.test(Buffer.from(chunk).toString('latin1'));
      yield chunk;
    }
  } finally {
    ended(resumable);
  }
}

/** The same text with large integers marked, line by line: no string of JSON holds a line's end. */
async function* marked(
  body: AsyncIterable<Uint8Array>,
  isStream: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder();
  const mark = (line: string): string => (isStream && !line.startsWith('data:') ? line : markIntegers(line));
  let open: string[] = [];
  for await (const chunk of body) {
    let whole = '';
    for (const line of decoder.decode(chunk, { stream: true }).split(/(?<=[\r\n])/)) {
      open.push(line);
      if (!/[\r\n]$/.test(line)) continue;
      whole += mark(open.join(''));
      open = [];
    }
    if (whole !== '') yield Buffer.from(whole);
  }
  const last = open.join('') + decoder.decode();
  if (last !== '') yield Buffer.from(mark(last));
}

function watched(
  body: AsyncIterable<Uint8Array> | null,
  ended: (resumable: boolean) => void,
  isStream: boolean,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    ended(false);
    return null;
  }
  return ReadableStream.from(marked(observed(body, ended), isStream));
}
