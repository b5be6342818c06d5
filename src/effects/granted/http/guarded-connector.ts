import { lookup as ownLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { HttpFailure } from './http-failure.ts';
import { type InterimResponses, skipInterim } from './skip-interim.ts';

/** Why an address may not be connected to; null: it may. */
export type RefuseAddress = (address: string) => string | null;

export interface GuardedConnectorOptions {
  /** Absent: the machine's own. */
  readonly lookup?: LookupFunction;
  readonly refuse: RefuseAddress;
  /** Of one connection; 0: until `end`. */
  readonly timeoutMs: number;
}

/** Opens connections, only to addresses that were judged, and can end all it opened. */
export interface GuardedConnector {
  readonly connect: buildConnector.connector;
  /** Called before a request is sent over a connection that has carried others. */
  expectResponse(): void;
  end(): void;
}

/** Some hosts are far away: Node's own 250 ms per address would call them dead. */
const ATTEMPT_MS = 2500;

/** Loads what connects: with the first request the installed package may be gone, or another one. */
export async function loadHttpClient(): Promise<void> {
  await import('undici');
}

/**
 * Judges every address of a host between look-up and connection, so that a name cannot lead elsewhere when it is used,
 * and the peer once more before a byte is sent, which covers hosts that are addresses themselves.
 */
export async function guardedConnector({
  lookup = ownLookup,
  refuse,
  timeoutMs,
}: GuardedConnectorOptions): Promise<GuardedConnector> {
  // Most of a megabyte, which a run without requests does not load.
  const { buildConnector: build } = await import('undici');
  const sockets = new Map<Socket, InterimResponses>();
  const connect = build({
    lookup: guardedLookup(lookup, refuse),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    timeout: timeoutMs,
    maxCachedSessions: 0,
    keepAlive: false,
  } as buildConnector.BuildOptions);

  return {
    connect: (options, callback) => {
      const socket: unknown = connect(options, (...[error, opened]) => {
        if (error !== null) return callback(error, null);
        const refusal = opened.remoteAddress === undefined ? null : refuse(opened.remoteAddress);
        if (refusal === null) return callback(null, opened);
        opened.destroy();
        callback(new HttpFailure(refusal, { ungranted: true }), null);
      });
      if (!(socket instanceof Socket)) return;
      sockets.set(socket, skipInterim(socket));
      socket.once('close', () => sockets.delete(socket));
    },
    expectResponse: () => {
      for (const interim of sockets.values()) interim.expectResponse();
    },
    end: () => {
      // With an error, or who waits for the connection would never hear of it.
      for (const socket of sockets.keys()) socket.destroy(new HttpFailure('The connection was ended.'));
    },
  };
}

function guardedLookup(lookup: LookupFunction, refuse: RefuseAddress): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, address, family) => {
      if (error !== null) return callback(error, address, family);
      const found = typeof address === 'string' ? [address] : address.map((one) => one.address);
      if (found.length === 0) return callback(Object.assign(new Error('No address.'), { code: 'ENOTFOUND' }), '', 0);
      // One refused address refuses all: a host that is both outside and inside is up to something.
      const refusal = found.map(refuse).find((text) => text !== null);
      if (refusal === undefined) return callback(null, address, family);
      callback(new HttpFailure(refusal ?? '', { ungranted: true }), '', 0);
    });
}
