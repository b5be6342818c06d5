import { PasskError } from '../../errors.ts';

/** Proxies that the environment names, as most programs understand it. */
export interface EnvProxies {
  /** '': none. */
  readonly httpProxy: string;
  /** '': none. */
  readonly httpsProxy: string;
  /** Hosts that are asked directly, separated by commas. */
  readonly noProxy: string;
}

/** Nobody means a server on the own machine to be asked by way of another one. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** What `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say, in small letters first; null: no proxy. Throws `USAGE` for what is no address. */
export function proxiesIn(env: NodeJS.ProcessEnv): EnvProxies | null {
  const wordOf = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? '';
  const [httpProxy, httpsProxy] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => proxyIn(name, wordOf(name)));
  if (!httpProxy && !httpsProxy) return null;
  const noProxy = [...wordOf('NO_PROXY').split(/[\s,]+/), ...LOOPBACK].filter((host) => host !== '').join(',');
  return { httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy };
}

function proxyIn(name: string, value: string): string {
  if (value === '') return '';
  // Such as `proxy.example:8080`, which most programs take.
  const address = /^\w+:\/\//.test(value) ? value : `http://${value}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  // It may hold a password.
  throw new PasskError('USAGE', `The environment variable ${name} holds no address of an HTTP proxy.`, {
    hint: 'Write http://HOST:PORT, or unset it.',
  });
}
