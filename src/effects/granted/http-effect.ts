import { Buffer } from 'node:buffer';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Answer, HttpRequest } from '../../plugin/request.ts';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Json } from '../../types/json.ts';
import { traceHeaders } from '../../values/trace-context.ts';
import type { Permissions } from '../../types/permissions.ts';
import { brokenAnswer, deniedAnswer, errorAnswer, valueAnswer } from '../answers.ts';
import type { Effect, EffectCall } from '../effect.ts';
import { badUrlText } from '../outside-errors.ts';
import { bodyText } from './body-text.ts';
import { exchange, type HttpResponse } from './http/http-exchange.ts';
import { HttpFailure } from './http/http-failure.ts';
import { HTTP_LIMITS, type HttpLimits } from './http/http-limits.ts';
import { compileNetGrant, type NetGrant } from './net-grant.ts';
import { type Hop, nextHop, redirectTarget } from './http/redirect.ts';
import { methodProblem, requestHeaders, undeclared } from './request-headers.ts';
import { createSecrets } from './secrets.ts';
import { type WorkflowSecrets, workflowSecrets } from './workflow-secrets.ts';

export interface HttpEffectOptions {
  /** Finds the addresses of a host, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
  readonly limits?: Partial<HttpLimits>;
  /** Those of the workflow, shared with other effects, so that what one sends the others do not show; absent: its own. */
  readonly secrets?: WorkflowSecrets;
  /** The run that servers are told of; absent: they are told nothing. */
  readonly traceRun?: string | undefined;
}

/**
 * Real HTTP requests to what `--allow-net` grants. Sends the URL in the form that policy judged, follows redirects by
 * hand with policy, grant and address judged anew, and never shows a secret it has filled in.
 */
export function createHttpEffect(
  permissions: Permissions,
  env: Readonly<Record<string, string | undefined>>,
  { lookup = systemLookup, limits, secrets: shared, traceRun }: HttpEffectOptions = {},
): Effect<HttpRequest> {
  const grant = compileNetGrant(permissions.net);
  const secrets =
    shared ??
    workflowSecrets([], { secrets: createSecrets(env, permissions.env), permissions, env, folder: null, lookup });
  const parts: Parts = { grant, secrets, lookup, limits: { ...HTTP_LIMITS, ...limits }, traceRun };
  const running = new Map<Promise<Answer>, AbortController>();
  let closed = false;

  const refusal = ({ url, headers }: HttpRequest): string | null => {
    const target = canonicalUrl(url);
    return ('problem' in target ? null : grant.refuseUrl(target)) ?? secrets.refusal(headers);
  };

  return {
    refusal,
    perform: async (request, call) => {
      const refused = refusal(request);
      if (refused !== null) return brokenAnswer(refused);
      if (closed) return brokenAnswer('The request came after the run had ended.');
      const stop = new AbortController();
      const answer = withinTime(request, call, parts, stop);
      running.set(answer, stop);
      try {
        return scrubbed(await answer, secrets);
      } finally {
        running.delete(answer);
      }
    },
    close: async () => {
      closed = true;
      for (const stop of running.values()) stop.abort();
      await Promise.allSettled(running.keys());
    },
  };
}

interface Parts {
  readonly grant: NetGrant;
  readonly secrets: WorkflowSecrets;
  readonly lookup: LookupFunction;
  readonly limits: HttpLimits;
  readonly traceRun: string | undefined;
}

async function withinTime(
  request: HttpRequest,
  call: EffectCall,
  parts: Parts,
  stop: AbortController,
): Promise<Answer> {
  const end = (): void => stop.abort();
  const timer = setTimeout(end, parts.limits.timeoutMs);
  call.signal.addEventListener('abort', end, { once: true });
  if (call.signal.aborted) end();
  try {
    return await send(request, call, parts, stop.signal);
  } catch (error) {
    if (!(error instanceof HttpFailure)) return brokenAnswer(`The HTTP request failed inside passk: ${String(error)}`);
    const isOurs = error.ungranted || error.exhausted;
    return isOurs ? brokenAnswer(error.message) : errorAnswer(error.message, 'effect');
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', end);
  }
}

async function send(request: HttpRequest, call: EffectCall, parts: Parts, signal: AbortSignal): Promise<Answer> {
  const { grant, limits, lookup } = parts;
  const first = await firstHop(request, call, parts);
  if ('problem' in first) return errorAnswer(first.problem, 'effect');
  let hop = first.hop;
  for (let redirects = 0; ; redirects++) {
    const { url } = hop;
    const onTheWay = (refusal: string | null): string | null =>
      refusal === null || redirects === 0 ? refusal : `Redirected by ${visibleText(request.url)}: ${refusal}`;
    const ungranted = onTheWay(grant.refuseUrl(url));
    if (ungranted !== null) return brokenAnswer(ungranted);
    const refuse = (address: string): string | null => onTheWay(grant.refuseAddress(url, address));
    const response = await exchange(hop, { lookup, refuse, limits, signal });
    const location = redirectTarget(response.status, response.headers);
    if (location === null) return valueAnswer(outputOf(response, parts.secrets), 'effect');
    if (redirects === limits.redirects) return errorAnswer(`more than ${limits.redirects} redirects`, 'effect');
    const next = nextHop(hop, response.status, location, first.secretNames);
    if ('problem' in next) return errorAnswer(next.problem, 'effect');
    const denial = call.recheck({ ...request, method: next.method, url: next.url.href, body: next.body });
    if (denial !== null) return deniedAnswer(denial);
    hop = next;
  }
}

interface FirstHop {
  readonly hop: Hop;
  readonly secretNames: ReadonlySet<string>;
}

async function firstHop(
  request: HttpRequest,
  { scenario, trial }: EffectCall,
  { secrets, limits, traceRun }: Parts,
): Promise<FirstHop | { readonly problem: string }> {
  const url = canonicalUrl(request.url);
  if ('problem' in url) return { problem: badUrlText(request.url, url) };
  const method = request.method.toUpperCase();
  const badMethod = methodProblem(method);
  if (badMethod !== null) return { problem: badMethod };
  const body = request.body === '' ? null : request.body;
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  if (bytes > limits.requestBodyBytes) {
    return { problem: `request body ${bytes} bytes exceeds cap of ${limits.requestBodyBytes}` };
  }
  const filled = await secrets.fill(request.headers, 'header');
  if ('problem' in filled) return filled;
  // What the workflow sends by these names itself is its own.
  const traced = traceRun === undefined ? {} : undeclared(traceHeaders(traceRun, scenario, trial), filled.values);
  const whole = requestHeaders({ ...filled.values, ...traced }, body !== null, limits);
  if ('problem' in whole) return whole;
  return { hop: { method, url, headers: whole.headers, body }, secretNames: filled.secretNames };
}

/** The shape that mocks give: bytes that are no text in their charset are replaced, `bytes` counts what came. */
function outputOf({ status, headers, body }: HttpResponse, secrets: WorkflowSecrets): Json {
  const shown = Object.entries(headers).map(([name, value]) => [secrets.scrub(name), secrets.scrub(value)]);
  return {
    status,
    headers: Object.fromEntries(shown),
    body: secrets.scrub(bodyText(body, headers['content-type'])),
    bytes: body.length,
  };
}

/** A redirect or a message may carry a secret that the server was told. */
function scrubbed(answer: Answer, { scrub }: WorkflowSecrets): Answer {
  const { reply } = answer;
  if (reply.kind !== 'error' && reply.kind !== 'broken') return answer;
  return { ...answer, reply: { ...reply, message: scrub(reply.message) } };
}
