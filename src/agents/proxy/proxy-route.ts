import type { IncomingMessage } from 'node:http';

/** Where a request was meant to go. */
export type ProxyRoute =
  | { readonly kind: 'model'; readonly url: URL }
  | {
      readonly kind: 'tool';
      readonly url: URL;
      readonly names: readonly string[];
      /** True: it was asked for by the name that it is declared under. */
      readonly isDeclared: boolean;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly why: string };

export interface RouteTable {
  /** Its own port. */
  readonly port: number;
  /** Where model calls go; null: to the provider whose path it is. */
  readonly upstream: URL | null;
  /** Tools that are reached as `/tools/NAME/…`. */
  readonly tools: Readonly<Record<string, URL>>;
}

/**
 * Reads where a request leads: `/tools/NAME/…` to that tool, any other path to the models, a whole address (as clients
 * with `HTTP_PROXY` send it) to the tool that lies there, to the models, or else to its host. Pages of other sites get nothing: they cannot name this machine, and say that
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
  if (named === null) return { kind: 'model', url: below(table.upstream ?? providerOf(target), target) };
  const [, encoded = '', rest = ''] = named;
  const name = decoded(encoded);
  const base = Object.hasOwn(table.tools, name) ? table.tools[name] : undefined;
  if (base === undefined) {
    const toolNames = Object.keys(table.tools).join(', ') || 'none';
    return refused(404, `No tool "${name}" is declared. Declared: ${toolNames}.`);
  }
  const url = below(base, rest === '' ? '/' : rest);
  return { kind: 'tool', url, names: [name, ...hostNames(url)], isDeclared: true };
}

const OPENAI = new URL('https://api.openai.com');
const ANTHROPIC = new URL('https://api.anthropic.com');
const GEMINI = new URL('https://generativelanguage.googleapis.com');
/** Where model calls go when nobody says. */
export const PROVIDERS: readonly URL[] = [OPENAI, ANTHROPIC, GEMINI];

function providerOf(path: string): URL {
  if (/^\/v1(?:alpha|beta)?\/models\/[^/]+:/.test(path)) return GEMINI;
  return /^\/v1\/(?:messages|complete)\b/.test(path) ? ANTHROPIC : OPENAI;
}

/** What a host goes by. */
export function hostNames(url: URL): readonly string[] {
  return url.port === '' ? [url.hostname] : [url.hostname, url.host];
}

function absoluteRoute(target: string, { port, upstream, tools }: RouteTable): ProxyRoute {
  if (!URL.canParse(target)) return refused(400, 'The address cannot be read.');
  const url = new URL(target);
  if (isOwnName(url.host, port)) return refused(508, 'The request leads back to the proxy.');
  const name = Object.keys(tools).find((one) => isBelow(url, tools[one]));
  if (name !== undefined) return { kind: 'tool', url, names: [name, ...hostNames(url)], isDeclared: true };
  // One host may serve models and tools.
  const isModel = (upstream === null ? PROVIDERS : [upstream]).some((models) => isBelow(url, modelsOf(models)));
  if (isModel) return { kind: 'model', url };
  return { kind: 'tool', url, names: hostNames(url), isDeclared: false };
}

/** Where a server has its models, unless its address says more. */
function modelsOf(upstream: URL): URL {
  return upstream.pathname === '/' ? new URL('/v1', upstream) : upstream;
}

function isBelow(url: URL, base: URL | undefined): boolean {
  if (base === undefined || url.host !== base.host) return false;
  const front = base.pathname.replace(/\/$/, '');
  return url.pathname === front || url.pathname.startsWith(`${front}/`);
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
