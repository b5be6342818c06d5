import { Buffer } from 'node:buffer';
import type { LookupFunction } from 'node:net';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Permissions } from '../../types/permissions.ts';
import type { SecretSource } from '../../types/workflow.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { grantsWord } from '../granted-ports.ts';
import { exchange } from './http/http-exchange.ts';
import { HttpFailure } from './http/http-failure.ts';
import { HTTP_LIMITS } from './http/http-limits.ts';
import { compileNetGrant } from './net-grant.ts';
import type { Secrets } from './secrets.ts';
import { jsonIn } from '../../values/json-in.ts';

type OAuth2 = Extract<SecretSource, { readonly source: 'oauth2' }>;

/** A token and the moment until which it is used, in milliseconds since 1970. */
export interface AccessToken {
  readonly value: string;
  readonly untilMs: number;
}

export interface TokenOptions {
  readonly permissions: Permissions;
  readonly secrets: Secrets;
  readonly lookup: LookupFunction;
  /** The value of a granted variable, or why there is none. */
  readonly variable: (name: string) => string | { readonly problem: string };
}

/** The flags that asking for a token needs; null: all of it is granted. */
export function tokenRefusal(
  { tokenUrl, clientIdEnv, clientSecretEnv }: OAuth2,
  { env, net }: Permissions,
): string | null {
  const names = [clientIdEnv, clientSecretEnv]
    .filter((name) => !grantsWord(env, name))
    .map((name) => visibleText(name));
  const url = canonicalUrl(tokenUrl);
  const isOpen = 'problem' in url || compileNetGrant(net).refuseUrl(url) === null;
  const flags = [
    ...(names.length > 0 ? [`--allow-env=${names.join(',')}`] : []),
    ...(isOpen ? [] : [`--allow-net=${visibleText(new URL(tokenUrl).host)}`]),
  ];
  return flags.length === 0 ? null : flags.join(' and ');
}

/** Asks for a token with the credentials of a client (RFC 6749, section 4.4). Reaches only what is granted. */
export async function askForToken(
  source: OAuth2,
  { permissions, secrets, lookup, variable }: TokenOptions,
): Promise<AccessToken | { readonly problem: string }> {
  const id = variable(source.clientIdEnv);
  const secret = variable(source.clientSecretEnv);
  if (typeof id !== 'string') return id;
  if (typeof secret !== 'string') return secret;
  const url = canonicalUrl(source.tokenUrl);
  const shown = visibleText(source.tokenUrl);
  if ('problem' in url) return { problem: `${shown}: ${url.problem}` };
  const grant = compileNetGrant(permissions.net);
  if (grant.refuseUrl(url) !== null) return { problem: `${shown} is not granted` };
  secrets.learn(source.clientSecretEnv, secret);
  try {
    const { status, body } = await exchange(
      { method: 'POST', url, ...requestOf(source, id, secret) },
      {
        lookup,
        refuse: (address) => grant.refuseAddress(url, address),
        limits: HTTP_LIMITS,
        signal: AbortSignal.timeout(HTTP_LIMITS.timeoutMs),
      },
    );
    const answer = jsonIn(body.toString('utf8'));
    const token = textAt(answer, 'access_token');
    if (status !== 200 || token === null) return { problem: `${shown} answered ${status} without an access token` };
    const lasts = fieldAt(answer, 'expires_in');
    const seconds = typeof lasts === 'number' ? Math.max(0, lasts - source.skewSecs) : Number.POSITIVE_INFINITY;
    return { value: token, untilMs: Date.now() + seconds * 1000 };
  } catch (error) {
    return { problem: error instanceof HttpFailure ? error.message : `${shown} cannot be asked: ${String(error)}` };
  }
}

function requestOf({ scopes, extraParams, authStyle }: OAuth2, id: string, secret: string) {
  const inBody = /body|post|param/i.test(authStyle ?? '');
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...extraParams,
    ...(inBody && { client_id: id, client_secret: secret }),
  });
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  return {
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(!inBody && { authorization: `Basic ${basic}` }),
    },
    body: form.toString(),
  };
}
