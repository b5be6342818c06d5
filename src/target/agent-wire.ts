import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { exchange, type HttpResponse } from '../effects/granted/http-exchange.ts';
import { HTTP_LIMITS } from '../effects/granted/http-limits.ts';
import { compileNetGrant } from '../effects/granted/net-grant.ts';
import type { Hop } from '../effects/granted/redirect.ts';
import { methodProblem, requestHeaders } from '../effects/granted/request-headers.ts';
import { createSecrets } from '../effects/granted/secrets.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';
import { visibleText } from '../policy/visible-text.ts';
import type { Permissions } from '../types/permissions.ts';
import type { AgentRequest } from './agent-request.ts';
import { unusable } from './unusable.ts';

/** What the user grants and where granted names are looked up. */
export interface Grants {
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Finds the addresses of a host, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
}

/** Requests to what `--allow-net` grants, with granted variables in place. */
export interface AgentWire {
  /** The sentence that names the flag which is missing; null: everything the request needs is granted. */
  refusal(request: AgentRequest): string | null;
  /** Throws what is wrong with the request. */
  prepare(request: AgentRequest): Hop;
  /** Throws `HttpFailure`. Follows nothing. */
  send(hop: Hop, signal: AbortSignal): Promise<HttpResponse>;
  /** A text without the values of variables that were put in. */
  scrub(text: string): string;
}

export function createAgentWire({ permissions, env, lookup = systemLookup }: Grants): AgentWire {
  const net = compileNetGrant(permissions.net);
  const secrets = createSecrets(env, permissions.env);

  const fill = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const filled = secrets.fill(withPlaces(values));
    if ('problem' in filled) throw unusable(filled.problem);
    return filled.headers;
  };

  const placeOf = (url: string): Hop['url'] => {
    const place = canonicalUrl(fill({ url })['url'] ?? '');
    if ('problem' in place) throw unusable(`${visibleText(url)}: ${place.problem}`);
    return place;
  };

  const refusal = ({ url, headers }: AgentRequest): string | null =>
    secrets.refusal(withPlaces({ ...headers, url })) ?? net.refuseUrl(placeOf(url));

  return {
    refusal,
    prepare: (request) => {
      const refused = refusal(request);
      if (refused !== null) throw unusable(refused);
      const { method, body } = request;
      const problem = methodProblem(method);
      if (problem !== null) throw unusable(problem);
      const whole = requestHeaders(fill(request.headers), body !== null, HTTP_LIMITS);
      if ('problem' in whole) throw unusable(whole.problem);
      return { method, url: placeOf(request.url), headers: whole.headers, body };
    },
    send: (hop, signal) => {
      const refuse = (address: string): string | null => net.refuseAddress(hop.url, address);
      return exchange(hop, { lookup, refuse, limits: HTTP_LIMITS, signal });
    },
    scrub: (text) => secrets.scrub(text),
  };
}

/** `$NAME` and `${NAME}` as the places that secrets are put into. */
function withPlaces(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const places = Object.entries(values).map(([key, value]) => [
    key,
    value.replace(VARIABLE, (_, braced?: string, bare?: string) => `{{secret:${braced ?? bare ?? ''}}}`),
  ]);
  return Object.fromEntries(places);
}

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;
