import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Json } from '../../types/json.ts';
import { passedHeaders } from './forward.ts';
import type { Session } from './session.ts';
import { writeJson } from '../../values/exact-json.ts';

/** A call that is being answered. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly session: Session;
}

export const JSON_TYPE = 'application/json';

/** More is neither a prompt nor an answer. */
export const MOST_BYTES = 16 * 1024 * 1024;

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}

export function sendJson(response: ServerResponse, status: number, body: Json): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': JSON_TYPE });
  response.end(writeJson(body));
}

/** Sends a whole response with the headers of another, whose length it need not have. */
export function sendAs(
  response: ServerResponse,
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  body: Buffer | string,
): void {
  if (response.destroyed) return;
  response.writeHead(statusCode, passedHeaders(headers));
  response.end(body);
}

/** Waits so long, or throws when nobody waits any more. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal });
}
