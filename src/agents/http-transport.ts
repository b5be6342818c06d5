import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText } from '../effects/granted/body-text.ts';
import type { HttpConnection, HttpResponse } from '../effects/granted/http/http-exchange.ts';
import { HttpFailure } from '../effects/granted/http/http-failure.ts';
import type { Hop } from '../effects/granted/http/redirect.ts';
import { undeclared } from '../effects/granted/request-headers.ts';
import { backoffMs } from '../random/backoff.ts';
import { allOf } from '../source/missing.ts';
import type { Agent, AgentTarget } from '../types/agent.ts';
import { ANSWERER } from '../types/check-places.ts';
import { type AgentRequest, agentRequest, type HttpAgent } from './agent-request.ts';
import type { AgentWire } from './agent-wire.ts';
import type { AnswerMetadata } from '../plugin/answer-metadata.ts';
import { responseMetadata } from './response-metadata.ts';
import { callWithin } from './call-within.ts';
import { type AgentResponse, readAnswer, readResponse, type Said } from './read-answer.ts';
import { requirePath } from './response-path.ts';
import type { Transport } from './target.ts';
import { UNUSABLE, UnreachedError, unusable } from './unusable.ts';

/** An agent behind an address. Follows no redirect, and asks again only while nothing of a response has come. */
export function createHttpTransport({ timeoutMs, retries }: Agent, written: HttpAgent, wire: AgentWire): Transport {
  const { responsePath } = written;
  const [{ url, reached }, tables, path] = allOf<[ReachedUrl, HttpTables, ReturnType<typeof requirePath> | null]>(
    [
      () => reachedUrl(written, wire),
      () => filledTables(written, wire),
      () => (responsePath === null ? null : requirePath(responsePath)),
    ],
    UNUSABLE,
  );
  const http: HttpAgent = { ...written, url, ...tables };
  const sessionConnection = keptConnection(wire);
  const ask = async (hop: Hop, until: AbortSignal, tried: Tried): Promise<Said> => {
    const send = tried.isInSession === true ? sessionConnection.send : wire.send;
    const response = await sendUntilAnswered(hop, { send, retries, until }, tried);
    if (response instanceof HttpFailure) return scrubbed({ error: failureText(response, tried) }, wire);
    const answer = agentResponse(response);
    if (tried.isInSession === true) tried.metadata = responseMetadata({ ...answer, body: wire.scrub(answer.body) });
    const { said, isAstray, isUnreadable, isPage, isUnknownStream } = readResponse(answer, path);
    tried.isAstray = isAstray;
    tried.isPage = isPage === true;
    tried.isUnknownStream = isUnknownStream === true && !isAstray;
    // Where a path leads astray that is said already.
    tried.isUnreadable = isUnreadable === true && !isAstray;
    return scrubbed(said, wire);
  };

  return {
    // Without what a prompt adds to it: faults are matched against one address.
    url: reached,
    call: async (prompt, { signal, instead, session, traceHeaders = {} }) => {
      if (instead !== undefined) {
        return { text: '', error: null, ...scrubbed(readAnswer(instead, path), wire), latencyMs: 0 };
      }
      const request = agentRequest(http, prompt, session);
      const headers = { ...request.headers, ...undeclared(traceHeaders, request.headers) };
      const hop = wire.prepare({ ...request, headers });
      const tried: Tried = { tries: 0, unreached: false, isInSession: session !== undefined };
      const answer = await callWithin({ timeoutMs, signal }, (until) => ask(hop, until, tried));
      return {
        ...answer,
        tries: tried.tries,
        ...(answer.error !== null && tried.unreached && { unreached: true }),
        ...(answer.error === null && tried.isAstray === true && { isAstray: true }),
        ...(answer.error === null && tried.isUnreadable === true && { isUnreadable: true }),
        ...(answer.error === null && tried.isPage === true && { isPage: true }),
        ...(answer.error === null && tried.isUnknownStream === true && { isUnknownStream: true }),
        ...(tried.metadata !== undefined && { metadata: tried.metadata }),
      };
    },
    invoke: null,
    close: () => sessionConnection.close(),
  };
}

/** Sessions ask message after message: opening a connection for each would cost more than all the rest. */
function keptConnection(wire: AgentWire): Pick<HttpConnection, 'close'> & Pick<AgentWire, 'send'> {
  let open: { readonly origin: string; readonly connection: Promise<HttpConnection> } | null = null;
  const close = async (): Promise<void> => {
    const closing = open;
    open = null;
    await (await closing?.connection)?.close();
  };
  return {
    close,
    send: async (hop, signal) => {
      const { origin } = hop.url;
      if (open !== null && open.origin !== origin) await close();
      open ??= { origin, connection: wire.connect(hop) };
      try {
        return await (await open.connection).send(hop, signal);
      } catch (error) {
        // What is left of the answer is nobody's.
        await close();
        throw error;
      }
    },
  };
}

/** Whom nobody answers for at all is told in other words, without the tries. */
function failureText({ message }: HttpFailure, { tries, unreached }: Tried): string {
  return tries === 1 || unreached ? message : `${message}, after ${tries} tries`;
}

interface Sending {
  readonly send: AgentWire['send'];
  readonly retries: number;
  readonly until: AbortSignal;
}

/** Tries again while nothing of a response has come. */
async function sendUntilAnswered(
  hop: Hop,
  { send, retries, until }: Sending,
  tried: Tried,
): Promise<HttpResponse | HttpFailure> {
  for (;;) {
    try {
      tried.tries++;
      return await send(hop, until);
    } catch (error) {
      const failure = requireFailure(error);
      const retry = tried.tries - 1;
      const isAgain = failure.unanswered && retry < retries && !until.aborted;
      if (isAgain) await pause(backoffMs(retry, Math.random()), until);
      tried.unreached = failure.unreached;
      if (!isAgain && failure.exhausted) throw unusable(failure.message);
      if (!isAgain || until.aborted) return failure;
    }
  }
}

/** What became of one call's tries. */
interface Tried {
  tries: number;
  unreached: boolean;
  /** True: what an answer took is read from it; absent: it is not. */
  readonly isInSession?: boolean;
  isAstray?: boolean;
  isUnreadable?: boolean;
  isPage?: boolean;
  isUnknownStream?: boolean;
  metadata?: AnswerMetadata;
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
    const response = await sendUntilAnswered(hop, { send: wire.send, retries, until }, tried);
    if (response instanceof HttpFailure) return { error: response.message };
    const { status } = response;
    return status >= 200 && status <= 299 ? { text: '' } : { error: `HTTP ${status}` };
  });
  if (error === null) return;
  const isAtAgent = target.kind === 'http' && hop.url.origin === new URL(expanded(target, wire).url).origin;
  if (tried.unreached && isAtAgent) throw new UnreachedError(wire.scrub(error));
  throw unusable(`The agent could not be reset: ${wire.scrub(error)}.`);
}

export const RESET_ENDPOINT: readonly string[] = ['reset_endpoint'];

/** `written` may be relative to the agent's; what proves who asks goes to no other place than the agent's. */
export function resetRequest(written: string, target: AgentTarget, wire: AgentWire): AgentRequest {
  const { url = '' } = wire.expand({ url: written }, () => RESET_ENDPOINT);
  if (target.kind !== 'http') return { method: 'POST', url, headers: {}, body: null };
  const http = expanded(target, wire);
  const whole = URL.canParse(url, http.url) ? new URL(url, http.url) : null;
  const headers = whole?.origin === new URL(http.url).origin ? http.headers : {};
  return { method: 'POST', url: whole?.href ?? url, headers, body: null };
}

type HttpTables = Pick<HttpAgent, 'headers' | 'query'>;

/** The agent with the user's variables in place, before any prompt is. Throws all that is missing of them. */
function expanded(http: HttpAgent, wire: AgentWire): HttpAgent {
  const steps = [() => filledUrl(http, wire), () => filledTables(http, wire)] as const;
  const [url, tables] = allOf<[string, HttpTables]>(steps, UNUSABLE);
  return { ...http, url, ...tables };
}

interface ReachedUrl {
  /** With variables in place. */
  readonly url: string;
  /** The same in its canonical form. */
  readonly reached: string;
}

/** The address of an agent. Throws as well where it may not be reached. */
function reachedUrl(http: HttpAgent, wire: AgentWire): ReachedUrl {
  const url = filledUrl(http, wire);
  return { url, reached: wire.prepare({ method: http.method, url, headers: {}, body: null }).url.href };
}

function filledUrl(http: HttpAgent, wire: AgentWire): string {
  const { url = '' } = wire.expand({ url: http.url }, () => ANSWERER);
  return url;
}

function filledTables(http: HttpAgent, wire: AgentWire): HttpTables {
  type Texts = Readonly<Record<string, string>>;
  const [headers, query] = allOf<[Texts, Texts]>(
    [
      () => wire.expand(http.headers, (name) => ['headers', name]),
      () => wire.expand(http.query, (name) => ['query_params', name]),
    ],
    UNUSABLE,
  );
  return { headers, query };
}

function agentResponse({ status, headers, body }: HttpResponse): AgentResponse {
  const contentType = headers['content-type'] ?? null;
  return { status, contentType, body: bodyText(body, contentType) };
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
