import { onTestFinished } from 'vitest';
import type { EffectCall } from '../../../src/effects/effect.ts';
import { createHttpEffect, type HttpEffectOptions } from '../../../src/effects/granted/http-effect.ts';
import type { Answer, HttpRequest } from '../../../src/plugin/request.ts';
import type { Grant, Permissions } from '../../../src/types/permissions.ts';

export interface Asked extends Partial<Omit<HttpRequest, 'port'>> {
  readonly net?: Grant;
  readonly allowEnv?: Grant;
  readonly env?: Readonly<Record<string, string>>;
  readonly recheck?: EffectCall['recheck'];
  readonly signal?: AbortSignal;
  readonly options?: HttpEffectOptions;
}

export function permissions(net: Grant, env: Grant = false): Permissions {
  return { net, env, run: false, read: false, write: false };
}

export function aRequest(rest: Partial<HttpRequest>): HttpRequest {
  return { port: 'http', method: 'GET', url: 'http://127.0.0.1/', headers: {}, body: null, ...rest };
}

export function aCall(rest: Partial<EffectCall> = {}): EffectCall {
  return { scenario: 'shop', trial: 0, signal: new AbortController().signal, recheck: () => null, ...rest };
}

/** Sends one request through an effect of its own and returns what came of it, most telling part only. */
export async function askHttp({ net, allowEnv, env = {}, recheck, signal, options, ...rest }: Asked): Promise<unknown> {
  const effect = createHttpEffect(permissions(net ?? ['127.0.0.1'], allowEnv), env, options);
  onTestFinished(() => effect.close());
  const call = aCall({ ...(recheck && { recheck }), ...(signal && { signal }) });
  return told(await effect.perform(aRequest(rest), call));
}

export function told({ reply }: Answer): unknown {
  switch (reply.kind) {
    case 'value':
      return reply.value;
    case 'error':
      return `${reply.category}${reply.denied ? ' denied' : ''}: ${reply.message}`;
    case 'broken':
      return `broken: ${reply.message}`;
    default:
      return reply;
  }
}
