import type { IncomingMessage } from 'node:http';

/** Where a request was meant to go. */
export type ProxyRoute =
  | { readonly kind: 'model'; readonly url: URL }
  | { readonly kind: 'tool'; readonly url: URL; readonly names: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly why: string };

export interface RouteTable {
  /** Its own port. */
  readonly port: number;
  /** Where model calls go. */
  readonly upstream: URL;
  /** Tools that are reached as `/tools/NAME/…`. */
  readonly tools: Readonly<Record<string, URL>>;
}

/**
 * Reads where a request leads: `/tools/NAME/…` to that tool, any other path to the models, a whole address (as clients
 * with `HTTP_PROXY` send it) to its host. Pages of other sites get nothing: they cannot name this machine, and say that
 * a browser sent them.
 */
export function routeOf({ url: target = '/', headers }: IncomingMessage, table: RouteTable): ProxyRoute {
  if (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'none') {
    return refused(403, 'Requests of web pages are not passed on.');
  }
  if (/^https?:\/\//i.test(target)) return absoluteRoute(target, table);
  if (!target.startsWith('/')) return refused(400, 'The request names no path.');
  if (!isOwnName(headers.host, table.port)) {
    return refused(403, 'The proxy answers to 127.0.0.1 and localhost only.');
  }
  const named = /^\/tools\/([^/?#]+)(\/?.*)$/s.exec(target);
  if (named === null) return { kind: 'model', url: below(table.upstream, target) };
  const [, encoded = '', rest = ''] = named;
  const name = decoded(encoded);
  const base = Object.hasOwn(table.tools, name) ? table.tools[name] : undefined;
  if (base === undefined) {
    const known = Object.keys(table.tools).join(', ') || 'none';
    return refused(404, `No tool "${name}" is declared. Declared: ${known}.`);
  }
  const url = below(base, rest === '' ? '/' : rest);
  return { kind: 'tool', url, names: [name, ...hostNames(url)] };
}

/** What a host goes by. */
export function hostNames(url: URL): readonly string[] {
  return url.port === '' ? [url.hostname] : [url.hostname, url.host];
}

function absoluteRoute(target: string, { port, upstream }: RouteTable): ProxyRoute {
  if (!URL.canParse(target)) return refused(400, 'The address cannot be read.');
  const url = new URL(target);
  if (isOwnName(url.host, port)) return refused(508, 'The request leads back to the proxy.');
  if (url.host === upstream.host) return { kind: 'model', url };
  return { kind: 'tool', url, names: hostNames(url) };
}

/** A path below a base address, whose own path stays in front. */
function below(base: URL, path: string): URL {
  const front = base.pathname.replace(/\/$/, '');
  // Clients that know the whole path of the API repeat what the base says already.
  const rest = front !== '' && (path === front || path.startsWith(`${front}/`)) ? path.slice(front.length) : path;
  return new URL(`${base.origin}${front}${rest}`);
}

function isOwnName(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(status: number, why: string): ProxyRoute {
  return { kind: 'refused', status, why };
}
