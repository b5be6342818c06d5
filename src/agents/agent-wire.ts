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
import { visibleText } from '../text/visible-text.ts';
import type { Issue, Location } from '../types/issue.ts';
import type { Permissions } from '../types/permissions.ts';
import type { AgentRequest } from './agent-request.ts';
import { type AgentPlace, allUnusable, unusable, unusableIssue } from './unusable.ts';

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
      const issues: Issue[] = [];
      for (const [place, text] of Object.entries(withPlaces(texts))) {
        const refused = secrets.refusal({ [place]: text });
        const filled = refused === null ? secrets.fill({ [place]: text }) : null;
        if (refused !== null) issues.push(unusableIssue(refused, { at: at?.(keyOf(place)) }));
        else if (filled !== null && 'missing' in filled) issues.push(unset(filled.missing, at?.(keyOf(place))));
        else if (filled !== null) values.push(...Object.entries(filled.values));
      }
      if (issues.length > 0) throw allUnusable(issues);
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

function unset(variable: string, at: Location | undefined): Issue {
  const name = visibleText(variable);
  const hint = `Set the environment variable ${name} to what the agent expects.`;
  return unusableIssue(`The agent's secret \`${name}\` is not set or blank.`, { at, hint });
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
