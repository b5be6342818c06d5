import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hostNames } from './proxy-route.ts';
import { firedSince, noteToolCall, type ProxyCall, type Session } from './session.ts';
import { strikeTool } from './strike-tool.ts';

interface TunnelRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

interface Passing {
  readonly session: Session;
  readonly onCall: (call: ProxyCall) => void;
}

/**
 * A `CONNECT`: what goes through is encrypted, so that the host as a whole can be late, missing or refused, but no answer
 * of it changed; a fault that would change one refuses it.
 */
export async function passTunnel(
  { request, socket, head }: TunnelRequest,
  { session, onCall }: Passing,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const url = URL.canParse(`https://${request.url}`) ? new URL(`https://${request.url}`) : null;
  if (url === null || url.pathname !== '/') return refuse(socket, 400, 'The request names no host.');
  const refusal = session.forwarder.refusal(url);
  if (refusal !== null) {
    session.seen.refused.add(refusal);
    return refuse(socket, 403, refusal);
  }
  const { state, signal } = session;
  const before = [...(state?.fired ?? [])];
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', end));
  try {
    noteToolCall(session, hostNames(url));
    const reply = await strikeTool({ names: hostNames(url), url: url.href }, session, signal);
    if (reply === 'nothing') return end();
    if (reply !== null && state?.isReplay === true && reply.status < 400) {
      session.seen.missed.add(
        `What ${url.host} answered cannot be put into an encrypted call: name it in proxy_tools.`,
      );
    }
    if (reply !== null) return refuse(socket, reply.status === 200 ? 502 : reply.status, reply.body);
    await tunnel({ url, socket, head }, session);
  } catch {
    end();
  } finally {
    onCall({ kind: 'tool', name: url.hostname, fired: firedSince(state, before) });
  }
}

async function tunnel(
  { url, socket, head }: { readonly url: URL; readonly socket: Duplex; readonly head: Buffer },
  { forwarder, signal }: Session,
): Promise<void> {
  const opened = await forwarder.connect(url, signal);
  if (typeof opened === 'string') return refuse(socket, 502, opened);
  opened.on('error', () => socket.destroy());
  opened.once('close', () => socket.destroy());
  socket.once('close', () => opened.destroy());
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  opened.write(head);
  opened.pipe(socket);
  socket.pipe(opened);
}

function refuse(socket: Duplex, status: number, why: string): void {
  const body = `passk: ${why}`;
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
