import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../effects/granted/http-exchange.ts';
import { HttpFailure } from '../effects/granted/http-failure.ts';
import type { Hop } from '../effects/granted/redirect.ts';
import { visibleText } from '../text/visible-text.ts';
import { backoffMs } from '../random/backoff.ts';
import type { Agent, AgentTarget } from '../types/agent.ts';
import { type AgentRequest, agentRequest, type HttpAgent } from './agent-request.ts';
import type { AgentWire } from './agent-wire.ts';
import { callWithin } from './call-within.ts';
import { type AgentResponse, readAnswer, type Said } from './read-answer.ts';
import { parseResponsePath } from './response-path.ts';
import type { Transport } from './target.ts';
import { UnreachedError, unusable } from './unusable.ts';

/** An agent behind an address. Follows no redirect, and asks again only while nothing of a response has come. */
export function createHttpTransport({ timeoutMs, retries }: Agent, written: HttpAgent, wire: AgentWire): Transport {
  const http = expanded(written, wire);
  const path = http.responsePath === null ? null : requirePath(http.responsePath);
  const said = (response: AgentResponse): Said => scrubbed(readAnswer(response, path), wire);

  const ask = async (hop: Hop, until: AbortSignal, tried: Tried): Promise<Said> => {
    const response = await sendUntilAnswered(hop, { wire, retries, until }, tried);
    return response instanceof HttpFailure
      ? scrubbed({ error: response.message }, wire)
      : said(agentResponse(response));
  };

  return {
    // Without what a prompt adds to it: faults are matched against one address.
    url: wire.prepare({ ...http, headers: {}, body: null }).url.href,
    call: async (prompt, { signal, instead }) => {
      if (instead !== undefined) return { text: '', error: null, ...said(instead), latencyMs: 0 };
      const hop = wire.prepare(agentRequest(http, prompt));
      const tried: Tried = { tries: 0, unreached: false };
      const answer = await callWithin({ timeoutMs, signal }, (until) => ask(hop, until, tried));
      return { ...answer, tries: tried.tries, ...(answer.error !== null && tried.unreached && { unreached: true }) };
    },
    invoke: null,
    close: async () => undefined,
  };
}

interface Sending {
  readonly wire: AgentWire;
  readonly retries: number;
  readonly until: AbortSignal;
}

/** Tries again while nothing of a response has come. */
async function sendUntilAnswered(
  hop: Hop,
  { wire, retries, until }: Sending,
  tried: Tried,
): Promise<HttpResponse | HttpFailure> {
  for (;;) {
    try {
      tried.tries++;
      return await wire.send(hop, until);
    } catch (error) {
      const failure = requireFailure(error);
      const retry = tried.tries - 1;
      const isAgain = failure.unanswered && retry < retries && !until.aborted;
      if (isAgain) await pause(backoffMs(retry, Math.random()), until);
      tried.unreached = failure.unreached;
      if (!isAgain || until.aborted) return failure;
    }
  }
}

/** What became of one call's tries. */
interface Tried {
  tries: number;
  unreached: boolean;
}

export interface ResetOptions {
  readonly wire: AgentWire;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** Asks an address to bring the agent back to its first state. Throws when it does not say that it has. */
export async function resetByHttp(
  request: AgentRequest,
  { wire, agent: { target, timeoutMs, retries }, signal }: ResetOptions,
): Promise<void> {
  const hop = wire.prepare(request);
  const tried: Tried = { tries: 0, unreached: false };
  const { error } = await callWithin({ timeoutMs, signal }, async (until) => {
    const response = await sendUntilAnswered(hop, { wire, retries, until }, tried);
    if (response instanceof HttpFailure) return { error: response.message };
    const { status } = response;
    return status >= 200 && status <= 299 ? { text: '' } : { error: `HTTP ${status}` };
  });
  if (error === null) return;
  const isAtAgent = target.kind === 'http' && hop.url.origin === new URL(expanded(target, wire).url).origin;
  if (tried.unreached && isAtAgent) throw new UnreachedError(wire.scrub(error));
  throw unusable(`The agent could not be reset: ${wire.scrub(error)}.`);
}

/** `written` may be relative to the agent's; what proves who asks goes to no other place than the agent's. */
export function resetRequest(written: string, target: AgentTarget, wire: AgentWire): AgentRequest {
  const { url = '' } = wire.expand({ url: written });
  if (target.kind !== 'http') return { method: 'POST', url, headers: {}, body: null };
  const http = expanded(target, wire);
  const whole = URL.canParse(url, http.url) ? new URL(url, http.url) : null;
  const headers = whole?.origin === new URL(http.url).origin ? http.headers : {};
  return { method: 'POST', url: whole?.href ?? url, headers, body: null };
}

function requirePath(written: string): readonly string[] {
  const path = parseResponsePath(written);
  if (path !== null) return path;
  throw unusable(`The response path ${visibleText(written)} cannot be read; write it as $.choices[0].message.content.`);
}

/** The agent with the user's variables in place, before any prompt is. */
function expanded(http: HttpAgent, wire: AgentWire): HttpAgent {
  const { url = '' } = wire.expand({ url: http.url });
  return { ...http, url, headers: wire.expand(http.headers), query: wire.expand(http.query) };
}

function agentResponse({ status, headers, body }: HttpResponse): AgentResponse {
  const contentType = headers['content-type'] ?? null;
  return { status, contentType, body: decoded(body, contentType) };
}

/** In the charset that the response names, where it is one; else UTF-8. */
function decoded(body: Buffer, contentType: string | null): string {
  const [, charset] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '') ?? [];
  if (charset === undefined) return body.toString('utf8');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

/** What is not allowed, or a fault of ours, is none of the agent's. */
function requireFailure(error: unknown): HttpFailure {
  if (!(error instanceof HttpFailure)) throw error;
  if (error.ungranted) throw unusable(error.message);
  return error;
}

function scrubbed(said: Said, { scrub }: AgentWire): Said {
  return 'text' in said ? { text: scrub(said.text) } : { error: scrub(said.error) };
}

async function pause(ms: number, until: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: until }).catch(() => undefined);
}
