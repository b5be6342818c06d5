import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import {
  exchange,
  type HttpConnection,
  type HttpResponse,
  openConnection,
} from '../effects/granted/http/http-exchange.ts';
import { HTTP_LIMITS } from '../effects/granted/http/http-limits.ts';
import { compileNetGrant } from '../effects/granted/net-grant.ts';
import type { Hop } from '../effects/granted/http/redirect.ts';
import { methodProblem, requestHeaders } from '../effects/granted/request-headers.ts';
import { createSecrets } from '../effects/granted/secrets.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';
import { Missing } from '../source/missing.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Permissions } from '../types/permissions.ts';
import type { AgentRequest } from './agent-request.ts';
import { type AgentPlace, UNUSABLE, unusable } from './unusable.ts';

/** What the user grants and where granted names are looked up. */
export interface Grants {
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Finds the addresses of a host, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
}

/** Requests to what `--allow-net` grants. */
export interface AgentWire {
  /**
   * Texts of the contract with granted variables in the places of `$NAME`. Throws all that is missing; `keyOf`: where in the
   * table of the agent each text stands.
   */
  expand(
    texts: Readonly<Record<string, string>>,
    keyOf: (place: string) => readonly string[],
  ): Readonly<Record<string, string>>;
  /** Throws what is wrong with the request, or the flag that it needs. */
  prepare(request: AgentRequest): Hop;
  /** Throws `HttpFailure`. Follows nothing. */
  send(hop: Hop, signal: AbortSignal): Promise<HttpResponse>;
  /** A connection to where this request goes, which stays open. */
  connect(hop: Hop): Promise<HttpConnection>;
  /** A text without the values of variables that were put in. */
  scrub(text: string): string;
}

export function createAgentWire({ permissions, env, lookup = systemLookup, at }: Grants & AgentPlace): AgentWire {
  const net = compileNetGrant(permissions.net);
  const secrets = createSecrets(env, permissions.env);
  const scrub = (text: string): string => secrets.scrub(text);
  const way = ({ url }: Hop) => {
    const refuse = (address: string): string | null => net.refuseAddress(url, address);
    return { lookup, refuse, limits: HTTP_LIMITS };
  };

  return {
    expand: (texts, keyOf) => {
      const values: [string, string][] = [];
      const missing = new Missing(UNUSABLE);
      for (const [place, text] of Object.entries(withPlaces(texts))) {
        const refused = secrets.refusal({ [place]: text });
        const filled = refused === null ? secrets.fill({ [place]: text }) : null;
        const where = at?.(keyOf(place));
        const placed = where === undefined ? {} : { at: where };
        if (refused !== null) missing.add({ message: refused, ...placed });
        else if (filled !== null && 'missing' in filled) missing.add({ ...unset(filled.missing), ...placed });
        else if (filled !== null) values.push(...Object.entries(filled.values));
      }
      missing.refuse();
      return Object.fromEntries(values);
    },
    prepare: ({ method, url: written, headers, body }) => {
      const url = canonicalUrl(written);
      if ('problem' in url) throw unusable(`${visibleText(scrub(written))}: ${url.problem}.`);
      const refused = net.refuseUrl(url);
      if (refused !== null) throw unusable(scrub(refused));
      const problem = methodProblem(method);
      if (problem !== null) throw unusable(`The agent cannot be asked: ${problem}.`);
      const whole = requestHeaders(headers, body !== null, HTTP_LIMITS);
      if ('problem' in whole) throw unusable(`The agent cannot be asked: ${whole.problem}.`);
      return { method, url, headers: whole.headers, body };
    },
    send: (hop, signal) => exchange(hop, { ...way(hop), signal }),
    connect: (hop) => openConnection(hop.url.origin, { ...way(hop), isKept: true }),
    scrub,
  };
}

function unset(variable: string): { readonly message: string; readonly hint: string } {
  const name = visibleText(variable);
  return {
    message: `The agent's secret \`${name}\` is not set or blank.`,
    hint: `Set the environment variable ${name} to what the agent expects.`,
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
