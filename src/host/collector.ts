import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { exchange } from '../effects/granted/http/http-exchange.ts';
import { HttpFailure } from '../effects/granted/http/http-failure.ts';
import { HTTP_LIMITS } from '../effects/granted/http/http-limits.ts';
import { compileNetGrant } from '../effects/granted/net-grant.ts';
import { requestHeaders } from '../effects/granted/request-headers.ts';
import { createSecrets } from '../effects/granted/secrets.ts';
import { grantsWord } from '../effects/granted-ports.ts';
import { PasskError } from '../errors.ts';
import type { Lost } from '../intelligence/live/exchange.ts';
import { judgeFailure } from '../intelligence/live/judge-failure.ts';
import type { FailedAttempt } from '../intelligence/live/retried.ts';
import { type CanonicalUrl, canonicalUrl } from '../policy/canonical-url.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Permissions } from '../types/permissions.ts';
import type { ReportMessage } from '../types/reports/report-message.ts';

export interface CollectorOptions {
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variable with headers, which is read where it is granted; absent: there are none. */
  readonly headersFrom?: string | undefined;
  /** Whether bodies are sent compressed. */
  readonly gzip: boolean;
  /** Real time of one request, from the first look-up to the last byte. */
  readonly timeoutMs: number;
  /** Finds the addresses of a host, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
}

/** A server that takes reports over HTTP. */
export interface Collector {
  /** One request. Follows no redirect, so that headers go nowhere else. Never rejects but with the signal's reason. */
  post(message: ReportMessage, signal: AbortSignal): Promise<Taken | FailedAttempt>;
  /** A text without the values of the headers. */
  scrub(text: string): string;
}

export interface Taken {
  readonly kind: 'taken';
  /** The body of its answer. */
  readonly answer: string;
}

/** The collector at this URL. Throws `USAGE` for a URL that is none or is not granted, and for headers that cannot be sent. */
export function openCollector(url: string, options: CollectorOptions): Collector {
  const { permissions, headersFrom, gzip, timeoutMs, lookup = systemLookup } = options;
  const net = compileNetGrant(permissions.net);
  const base = baseUrl(url);
  const refused = net.refuseUrl(base);
  if (refused !== null) {
    throw new PasskError('USAGE', `No report may be sent to ${base.href}. ${refused}`, {
      hint: 'Grant the host, or have the report written to a file.',
    });
  }
  const secrets = createSecrets({}, false);
  const headers = headersOf(options);
  for (const value of Object.values(headers)) {
    // A server may repeat the key of `Bearer KEY` alone.
    for (const text of [value, ...value.split(' ')]) secrets.learn(headersFrom ?? '', text);
  }
  const whole = requestHeaders(headers, true, HTTP_LIMITS);
  if ('problem' in whole) throw badHeaders(headersFrom ?? '', whole.problem);
  const { 'content-encoding': _, ...plain } = whole.headers;
  const sent = gzip ? { ...plain, 'content-encoding': 'gzip' } : whole.headers;

  return {
    scrub: (text) => secrets.scrub(text),
    post: async ({ path, body }, outer) => {
      const target = canonicalUrl(`${base.href.replace(/\/$/, '')}${path}`);
      if ('problem' in target) throw new PasskError('INTERNAL', `A report has the path ${path}: ${target.problem}.`);
      const stop = new AbortController();
      const end = (): void => stop.abort();
      const timer = setTimeout(end, timeoutMs);
      outer.addEventListener('abort', end, { once: true });
      if (outer.aborted) end();
      try {
        const hop = { method: 'POST', url: target, headers: sent, body: gzip ? gzipSync(body) : body };
        const refuse = (address: string): string | null => net.refuseAddress(target, address);
        const response = await exchange(hop, { lookup, refuse, limits: HTTP_LIMITS, signal: stop.signal });
        const { status } = response;
        const text = response.body.toString('utf8');
        if (status >= 200 && status <= 299) return { kind: 'taken', answer: text };
        const { headers: received } = response;
        return {
          kind: 'failed',
          failure: judgeFailure({ kind: 'status', status, headers: received, text }, Date.now()),
        };
      } catch (error) {
        outer.throwIfAborted();
        if (!(error instanceof HttpFailure)) throw error;
        const message = stop.signal.aborted ? `no whole answer within ${timeoutMs} ms` : error.message;
        const why = stop.signal.aborted ? 'late' : lostBy(error);
        return { kind: 'failed', failure: judgeFailure({ kind: 'lost', why, message }, Date.now()) };
      } finally {
        clearTimeout(timer);
        outer.removeEventListener('abort', end);
      }
    },
  };
}

function lostBy({ ungranted, unreached, unanswered, exhausted }: HttpFailure): Lost {
  if (exhausted) return 'exhausted';
  if (ungranted) return 'impossible';
  if (unreached) return 'unreachable';
  return unanswered ? 'dropped' : 'cut';
}

function baseUrl(written: string): CanonicalUrl {
  const url = canonicalUrl(written);
  const problem = 'problem' in url ? url.problem : /[?#]/.test(written) ? 'the URL has a query or a fragment' : null;
  if (problem === null && !('problem' in url)) return url;
  throw new PasskError('USAGE', `No report can be sent to ${visibleText(written)}: ${problem}.`, {
    hint: 'Write the URL of a collector, such as http://127.0.0.1:4318, to which passk adds /v1/traces and its like.',
  });
}

/** `key=value,key=value` with values percent-encoded, as OpenTelemetry has it. */
function headersOf({ permissions, env, headersFrom }: CollectorOptions): Readonly<Record<string, string>> {
  if (headersFrom === undefined || !grantsWord(permissions.env, headersFrom)) return {};
  const pairs = (env[headersFrom] ?? '').split(',').filter((pair) => pair.trim() !== '');
  const headers = pairs.map((pair): readonly [string, string] => {
    const at = pair.indexOf('=');
    if (at === -1) throw badHeaders(headersFrom, 'a header has no `=` between its name and its value');
    try {
      return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())];
    } catch {
      throw badHeaders(headersFrom, 'a value is not percent-encoded');
    }
  });
  return Object.fromEntries(headers);
}

function badHeaders(name: string, problem: string): PasskError {
  return new PasskError('USAGE', `The variable ${name} cannot be sent as headers: ${problem}.`, {
    hint: 'Write it as name=value,name=value with values percent-encoded.',
  });
}
