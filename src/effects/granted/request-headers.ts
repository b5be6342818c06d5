import type { HttpLimits } from './http/http-limits.ts';

/** Decided by the URL and the body: a header of its own could send the request past what policy has judged. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers to send, with defaults; or what is wrong with them, never quoting a value. */
export function requestHeaders(
  declared: Readonly<Record<string, string>>,
  hasBody: boolean,
  limits: HttpLimits,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  let bytes = 0;
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(declared)) {
    const key = name.toLowerCase();
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      return { problem: 'a header name has a character that cannot be sent' };
    if (OURS.has(key)) return { problem: `header \`${name}\` is set by passk and cannot be declared` };
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return { problem: `header \`${name}\` has a line break or a character that cannot be sent` };
    }
    bytes += name.length + value.length + 4;
    seen.add(key);
  }
  if (bytes > limits.requestHeaderBytes)
    return { problem: `request headers exceed cap of ${limits.requestHeaderBytes} bytes` };
  const defaults = [
    ['accept', '*/*'],
    ['user-agent', 'passk'],
    ...(hasBody ? [['content-type', 'application/json']] : []),
  ].filter(([name = '']) => !seen.has(name));
  return { headers: { ...declared, ...Object.fromEntries(defaults) } };
}

/** Those of the headers whose names are not declared already, in whatever case. */
export function undeclared(
  headers: Readonly<Record<string, string>>,
  declared: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
}

/** Why a method cannot be sent; null: it can. */
export function methodProblem(method: string): string | null {
  if (!/^[A-Z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(method)) return 'the method has a character that cannot be sent';
  return /^(?:CONNECT|TRACE|TRACK)$/.test(method) ? `the method ${method} is never sent` : null;
}
