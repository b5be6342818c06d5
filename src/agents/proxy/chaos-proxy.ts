import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChaosState } from '../../faults/chaos/chaos-state.ts';
import type { Grant } from '../../types/permissions.ts';
import { messageOf } from '../../values/message-of.ts';
import type { SeenCalls } from '../target.ts';
import { readWhole } from '../../values/read-whole.ts';
import { createForwarder } from './forward.ts';
import { asksModel, passModel } from './pass-model.ts';
import { passTool } from './pass-tool.ts';
import { passTunnel } from './pass-tunnel.ts';
import { type ProxyRoute, routeOf, type RouteTable } from './proxy-route.ts';
import { type Exchange, MOST_BYTES, sendText } from './send.ts';
import { firedSince, openSession, type ProxyCall, type Session, takeSight } from './session.ts';

export interface ChaosProxyOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Where model calls are passed on to; null: to the provider whose format they have. */
  readonly upstream: URL | null;
  /** Tools that are reached as `/tools/NAME/…`; absent: none. */
  readonly tools?: Readonly<Record<string, URL>>;
  /** Hosts that may be reached at all, the upstream's and the tools' included. */
  readonly net: Grant;
  /** Is told of every call that was passed on or broken. */
  readonly onCall?: (call: ProxyCall) => void;
}

/** A proxy on this machine only, between an agent and its models and tools. Needs closing. */
export interface ChaosProxy {
  /** Such as `http://127.0.0.1:8123`. */
  readonly url: string;
  /** The calls that follow are struck by this; null: by nothing. Calls under way are dropped: they belong to the past. */
  begin(state: ChaosState | null): void;
  /** What was seen since the last time, or since `begin`. */
  seen(): SeenCalls;
  close(): Promise<void>;
}

/** Throws as `listen` does, where the port cannot be had. */
export async function startChaosProxy(options: ChaosProxyOptions): Promise<ChaosProxy> {
  const { upstream, tools = {}, net, onCall = () => undefined } = options;
  const forwarder = await createForwarder(net);
  const declared = new Set(Object.keys(tools));
  const open = (state: ChaosState | null, signal: AbortSignal): Session =>
    openSession({ state, forwarder, signal, tools: declared });
  let end = new AbortController();
  let session = open(null, end.signal);
  const table = (): RouteTable => ({ port: (server.address() as AddressInfo).port, upstream, tools });

  const server = createServer((request, response) => {
    void answer(request, response, { session, table: table(), onCall });
  });
  // What a model thinks about may take minutes; who waits decides how long.
  server.requestTimeout = 0;
  server.on('connect', (request: IncomingMessage, socket, head: Buffer) => {
    void passTunnel({ request, socket, head }, { session, onCall });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: options.port }, resolve);
  });

  return {
    url: `http://127.0.0.1:${table().port}`,
    begin: (state) => {
      end.abort();
      end = new AbortController();
      session = open(state, end.signal);
    },
    seen: () => takeSight(session),
    close: async () => {
      end.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await forwarder.close();
    },
  };
}

interface Passing {
  readonly session: Session;
  readonly table: RouteTable;
  readonly onCall: (call: ProxyCall) => void;
}

async function answer(request: IncomingMessage, response: ServerResponse, passing: Passing): Promise<void> {
  const { session, table, onCall } = passing;
  const route = routeOf(request, table);
  if (route.kind === 'refused') return sendText(response, route.status, `passk: ${route.why}`);
  const refusal = session.forwarder.refusal(route.url);
  if (refusal !== null) {
    session.seen.refused.add(refusal);
    return sendText(response, 403, `passk: ${refusal}`);
  }
  const gone = new AbortController();
  const end = (): void => gone.abort();
  response.once('close', end);
  session.signal.addEventListener('abort', end, { once: true });
  const exchange = { request, response, signal: gone.signal, session };
  const before = [...(session.state?.fired ?? [])];
  const { calls } = session.seen;
  const first = calls.length;
  let kind: ProxyCall['kind'] = route.kind;
  try {
    kind = await pass(exchange, route);
  } catch (error) {
    fail(response, error, session.signal);
  } finally {
    response.off('close', end);
    session.signal.removeEventListener('abort', end);
    const fired = firedSince(session.state, before);
    const call = calls[first];
    if (call !== undefined && fired.length > 0) calls[first] = { ...call, struckBy: fired };
    onCall({ kind, name: nameOf(route), fired });
  }
}

/** What is asked of a model is known by the request, whichever host is meant. */
async function pass(exchange: Exchange, route: Exclude<ProxyRoute, { kind: 'refused' }>): Promise<ProxyCall['kind']> {
  const { request, response } = exchange;
  const body = await readWhole(request, MOST_BYTES);
  if (body === null) sendText(response, 413, 'passk: the request is too large.');
  else if (route.kind === 'tool' && (route.isDeclared || !asksModel(route.url, body))) {
    await passTool(exchange, route, body);
    return 'tool';
  } else await passModel(exchange, route.url, body);
  return 'model';
}

function nameOf(route: { readonly url: URL; readonly names?: readonly string[] }): string {
  return route.names?.[0] ?? route.url.host;
}

function fail(response: ServerResponse, error: unknown, over: AbortSignal): void {
  // Of a trial that is over: nobody is to hear of it in the next one.
  if (over.aborted || response.headersSent) return void response.destroy();
  const why = messageOf(error);
  sendText(response, 502, `passk: the call could not be passed on: ${why}`);
}
