import type { LookupFunction } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { openGuardedAgent } from './http/guarded-agent.ts';
import type { RefuseAddress } from './http/guarded-connector.ts';
import { HTTP_LIMITS } from './http/http-limits.ts';
import { markIntegers, unmarkIntegers } from '../../values/exact-json.ts';

export interface McpFetchOptions {
  readonly lookup: LookupFunction;
  readonly refuse: RefuseAddress;
  /** A body that is no stream was to answer a request, and has ended. */
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
  const { dispatcher, close } = await openGuardedAgent({
    lookup,
    refuse,
    timeoutMs: HTTP_LIMITS.timeoutMs,
    limits: { maxHeaderSize: HTTP_LIMITS.responseHeaderBytes, maxResponseSize: LONGEST_RESPONSE },
  });
  const { fetch } = await import('undici');
  const running = new Map<string | number, AbortController>();

  return {
    fetch: async (url, init = {}) => {
      const { method = 'GET', headers, body, signal, redirect } = init;
      const requestHeaders = new Headers(headers);
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
      const isStream = plain['content-type']?.includes('text/event-stream') === true;
      const ended = (): void => {
        if (id === null) return;
        running.delete(id);
        if (!isStream) onEnd(id);
      };
      const read = isBodiless(status) ? null : watched(response.body, ended, isStream);
      return new Response(read, { status, headers: plain });
    },
    close,
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

/** The same bytes; tells when they end. */
async function* observed(
  body: AsyncIterable<Uint8Array>,
  ended: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } finally {
    ended();
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
  ended: () => void,
  isStream: boolean,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    ended();
    return null;
  }
  return ReadableStream.from(marked(observed(body, ended), isStream));
}
