/**
 * `NODE_OPTIONS` that send the calls of a Node program through the proxy at `url`: those of `fetch` and of whatever else
 * uses undici's global dispatcher, and those of `node:http` and `node:https`. `HTTP_PROXY` does not reach them: no
 * supported version of Node heeds it unasked. `others`: options that are set already.
 */
export function nodeOptions(url: string, others: string | undefined): string {
  const hook = `--import=data:text/javascript,${encodeURIComponent(HOOK.replace('PROXY_URL', JSON.stringify(url)))}`;
  return others === undefined || others === '' ? hook : `${others} ${hook}`;
}

/** Runs before anything of the program does. Connections without HTTP on top, HTTP/2 and WebSockets stay as they are. */
const HOOK = `
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const proxy = new URL(PROXY_URL);

// Loads what comes with Node, so that its dispatcher is there to be wrapped.
void globalThis.Headers;
for (const name of Object.getOwnPropertySymbols(globalThis)) {
  if (!/^Symbol\\(undici\\.globalDispatcher\\.\\d+\\)$/.test(String(name))) continue;
  const inner = globalThis[name];
  const dispatch = (options, handler) => {
    const target = new URL(String(options.path ?? '/'), String(options.origin ?? 'invalid:'));
    const isWeb = target.protocol === 'http:' || target.protocol === 'https:';
    if (!isWeb || target.host === proxy.host || options.upgrade || options.method === 'CONNECT') return inner.dispatch(options, handler);
    return inner.dispatch({ ...options, origin: proxy.origin, path: target.href, headers: withHost(options.headers, target.host) }, handler);
  };
  globalThis[name] = Object.create(inner, { dispatch: { value: dispatch } });
}

// The three ways in which undici takes headers.
function withHost(headers, host) {
  if (headers === undefined || headers === null) return { host };
  if (Array.isArray(headers)) return hasHost(headers.filter((_, at) => at % 2 === 0)) ? headers : [...headers, 'host', host];
  if (typeof headers[Symbol.iterator] === 'function') {
    const pairs = [...headers];
    return Object.fromEntries(hasHost(pairs.map(([key]) => key)) ? pairs : [...pairs, ['host', host]]);
  }
  return hasHost(Object.keys(headers)) ? headers : { ...headers, host };
}

function hasHost(names) {
  return names.some((name) => String(name).toLowerCase() === 'host');
}

const send = http.request;
for (const [module, protocol] of [[http, 'http:'], [https, 'https:']]) {
  const direct = module.request;
  const request = (...args) => {
    const listener = typeof args.at(-1) === 'function' ? args.pop() : undefined;
    const through = throughProxy(args, protocol);
    return through === null ? direct.call(module, ...args, listener) : send.call(http, through, listener);
  };
  module.request = request;
  module.get = (...args) => {
    const sent = request(...args);
    sent.end();
    return sent;
  };
}
syncBuiltinESMExports();

function throughProxy([first, second], protocol) {
  const isUrl = typeof first === 'string' || first instanceof URL;
  const options = { ...(isUrl ? urlOptions(new URL(first)) : first), ...(isUrl ? second : {}) };
  if (options.socketPath || options.createConnection || options.method === 'CONNECT') return null;
  if (options.headers !== undefined && Object.keys(options.headers).some((name) => name.toLowerCase() === 'upgrade')) return null;
  const scheme = options.protocol ?? options.agent?.protocol ?? protocol;
  const name = options.hostname ?? options.host ?? 'localhost';
  const port = options.port ?? options.defaultPort;
  const host = name.includes(':') && !name.startsWith('[') ? '[' + name + ']' : name;
  const origin = scheme + '//' + host.replace(/:\\d+$/, '') + (port === undefined || port === null || port === '' ? '' : ':' + port);
  if (!URL.canParse(options.path ?? '/', origin)) return null;
  const target = new URL(options.path ?? '/', origin);
  if (target.host === proxy.host) return null;
  const { agent: _, ...rest } = options;
  return {
    ...rest,
    protocol: 'http:',
    host: undefined,
    hostname: proxy.hostname,
    port: proxy.port,
    defaultPort: undefined,
    path: target.href,
    headers: Array.isArray(options.headers) ? options.headers : withHost(options.headers ?? {}, target.host),
  };
}

function urlOptions(url) {
  const { protocol, hostname, port, pathname, search, username, password } = url;
  const auth = username === '' ? {} : { auth: decodeURIComponent(username) + ':' + decodeURIComponent(password) };
  return { protocol, hostname, path: pathname + search, ...(port === '' ? {} : { port }), ...auth };
}
`;
