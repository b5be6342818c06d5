import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProgressEvent } from '../public/types.ts';
import { LIVE_PAGE, LIVE_POLICY } from './live-page.ts';
import { createWatchers } from './live-watchers.ts';

/** A report page on this machine only. */
export interface PageServer {
  /** It holds a secret, without which a request gets nothing. */
  readonly url: string;
  /** Tells whoever looks how far the run is; returns at once, however slow they are. */
  progress(event: ProgressEvent): void;
  /** Shows this page from now on, with a remark above it. */
  show(html: string, remark?: string): void;
  /** Says why there is no report of the last run; one of a run before stays. */
  fail(problem: string): void;
  /** Resolves when so many have it, and all who looked when it came and still do; at most five seconds after it came. */
  delivered(least: number): Promise<void>;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 64;
/** For a browser that starts, or that has much to do. */
const LONGEST_DELIVERY_MS = 5000;

/**
 * Serves a page on 127.0.0.1, on a port of the system's choice. Only requests to this address by name are answered, so
 * that no other site's name can lead here, and only those with the secret of the address.
 */
export async function servePage(): Promise<PageServer> {
  const token = randomBytes(18).toString('base64url');
  const watchers = createWatchers();
  let report: string | null = null;
  let expected = 0;
  let delivered = 0;
  let shownAt = 0;
  let onDelivered = (): void => {};
  /** There is no report to fetch: a problem comes with the events. */
  let hasFailed = false;
  const onFinish = (): void => {
    delivered++;
    onDelivered();
  };

  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { port } = server.address() as AddressInfo;
    const refusal = refusalOf(request, port, token);
    if (refusal !== null) return send(response, refusal, 'text/plain', `${refusal}\n`, "default-src 'none'");
    const resource = new URL(request.url ?? '/', 'http://localhost').pathname.slice(token.length + 2);
    if (resource === '') return send(response, 200, 'text/html', LIVE_PAGE, LIVE_POLICY);
    // The report holds a policy of its own.
    if (resource === 'report' && report !== null) {
      response.on('finish', onFinish);
      return send(response, 200, 'text/html', report, "frame-ancestors 'self'");
    }
    if (resource !== 'events') return send(response, 404, 'text/plain', '404\n', "default-src 'none'");
    response.writeHead(200, { ...headersOf("default-src 'none'"), 'content-type': 'text/event-stream' });
    if (request.method === 'HEAD') return response.end();
    watchers.add(response, report !== null);
    if (hasFailed) onFinish();
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    progress: watchers.progress,
    show(html, remark = '') {
      report = html;
      hasFailed = false;
      shownAt = performance.now();
      expected = watchers.count();
      delivered = 0;
      watchers.tell('report', remark);
    },
    fail(problem) {
      hasFailed = true;
      shownAt = performance.now();
      expected = watchers.count();
      delivered = expected;
      watchers.tell('problem', problem);
    },
    async delivered(least) {
      const isDelivered = (): boolean => delivered >= Math.max(least, Math.min(expected, watchers.count()));
      if (isDelivered()) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, shownAt + LONGEST_DELIVERY_MS - performance.now());
        onDelivered = () => void (isDelivered() && resolve());
      });
      clearTimeout(timer);
    },
    close() {
      watchers.end();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // A browser that keeps its connection must not keep passk alive.
        setTimeout(() => server.closeAllConnections(), 500).unref();
      });
    },
  };
}

function refusalOf({ method, headers, url = '' }: IncomingMessage, port: number, token: string): number | null {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 403;
  const secret = url.split('/')[1] ?? '';
  if (!timingSafeEqual(digestOf(secret), digestOf(token))) return 403;
  return method === 'GET' || method === 'HEAD' ? null : 405;
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function send(response: ServerResponse, status: number, type: string, body: string, policy: string): void {
  response.writeHead(status, { ...headersOf(policy), 'content-type': `${type}; charset=utf-8` });
  response.end(body);
}

function headersOf(policy: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}
