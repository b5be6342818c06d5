import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type GuardedAgent, openGuardedAgent } from '../../effects/granted/http/guarded-agent.ts';
import {
  type GuardedConnectorOptions,
  guardedConnector,
  loadHttpClient,
} from '../../effects/granted/http/guarded-connector.ts';
import { compileNetGrant, type NetGrant } from '../../effects/granted/net-grant.ts';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import type { Grant } from '../../types/permissions.ts';

/** Passes requests on to where they were meant to go, as far as the user grants it. */
export interface Forwarder {
  /** Why this may not be reached; null: it may. */
  refusal(url: URL): string | null;
  send(url: URL, request: ForwardedRequest): Promise<Dispatcher.ResponseData>;
  /** A bare connection, for what is not to be read; a text says why there is none. */
  connect(url: URL, signal: AbortSignal): Promise<Duplex | string>;
  close(): Promise<void>;
}

export interface ForwardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Of one hop only, or not true any more once passk has read the body. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
]);

/** Connections of their own for each origin, since each judges the addresses of its own host. */
export async function createForwarder(net: Grant): Promise<Forwarder> {
  await loadHttpClient();
  const grant = compileNetGrant(net);
  const agents = new Map<string, Promise<GuardedAgent>>();
  const guardOf = (url: URL): GuardedConnectorOptions => {
    const target = canonicalUrl(url.href);
    return {
      refuse: (address) => ('problem' in target ? target.problem : grant.refuseAddress(target, address)),
      timeoutMs: CONNECT_TIMEOUT_MS,
    };
  };
  const agentFor = (url: URL): Promise<GuardedAgent> => {
    const agent = agents.get(url.origin) ?? openGuardedAgent(guardOf(url));
    agents.set(url.origin, agent);
    return agent;
  };
  return {
    refusal: (url) => refusalOf(url, grant),
    send: async (url, { method, headers, body, signal }) => {
      const { dispatcher } = await agentFor(url);
      return dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...passedHeaders(headers), 'accept-encoding': 'identity' },
        body: body.length === 0 ? null : body,
        signal,
      });
    },
    connect: async (url, signal) => {
      const connector = await guardedConnector(guardOf(url));
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => connector.end(), { once: true });
        // Without TLS: that is between the two ends.
        const options = { hostname: url.hostname, protocol: 'http:', port: url.port === '' ? '443' : url.port };
        connector.connect(options, (...[error, socket]) => resolve(error === null ? socket : error.message));
      });
    },
    close: async () => {
      for (const agent of agents.values()) await (await agent).close();
    },
  };
}

/** Why this may not be reached; null: it may, as far as the address tells. */
export function refusalOf(url: URL, grant: NetGrant): string | null {
  const target = canonicalUrl(url.href);
  return 'problem' in target ? target.problem : grant.refuseUrl(target);
}

/** The headers that are meant for the other end. */
export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set(
    String(headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] =>
      entry[1] !== undefined && !HOP_BY_HOP.has(entry[0]) && !named.has(entry[0]),
  );
  return Object.fromEntries(passed);
}
