import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { type GuardedAgent, openGuardedAgent } from '../../effects/granted/http/guarded-agent.ts';
import { httpFailure } from '../../effects/granted/http/http-failure.ts';
import { compileNetGrant } from '../../effects/granted/net-grant.ts';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { ModelAnswer, ModelQuestion } from '../../types/model-test.ts';
import type { Grant } from '../../types/permissions.ts';
import { type Asking, untilLate } from '../asking.ts';
import { LostConnection } from '../entry-runner.ts';
import { LONGEST_REPLY, readDocument, readStream } from './read-reply.ts';
import { type ResponseHead, wireRefusal } from './wire-answer.ts';

/** Bytes of a refusal that are read. */
const LONGEST_REFUSAL = 64 << 10;
/** For the word that an action is not waited for any more. */
const CANCEL_MS = 1000;

/** Why a URL may not be asked, as a sentence; null: it may. */
export function urlProblem(url: string, net: Grant): string | null {
  const canonical = canonicalUrl(url);
  if ('problem' in canonical) return `${visibleText(url)}: ${canonical.problem}.`;
  return compileNetGrant(net).refuseUrl(canonical);
}

/** Speaks to a reflection server: Genkit's HTTP interface of a program under development. */
export class ReflectionHttp {
  readonly #base: URL;
  readonly #agent: GuardedAgent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #open = new AbortController();

  /** Throws a sentence when the address is not granted. */
  static async open(url: string, net: Grant, secret: string | undefined): Promise<ReflectionHttp> {
    const problem = urlProblem(url, net);
    if (problem !== null) throw new Error(problem);
    const canonical = canonicalUrl(url);
    if ('problem' in canonical) throw new Error(canonical.problem);
    const grant = compileNetGrant(net);
    const refuse = (address: string): string | null => grant.refuseAddress(canonical, address);
    const agent = await openGuardedAgent({ refuse, timeoutMs: 0 });
    const base = new URL(canonical.href.endsWith('/') ? canonical.href : `${canonical.href}/`);
    const headers = secret === undefined ? {} : { 'x-genkit-reflection-secret': secret };
    return new ReflectionHttp(base, agent, headers);
  }

  private constructor(base: URL, agent: GuardedAgent, headers: Readonly<Record<string, string>>) {
    this.#base = base;
    this.#agent = agent;
    this.#headers = headers;
    // As many calls as are cancelled at once.
    setMaxListeners(0, this.#open.signal);
  }

  /** Whether the server answers in time that it is well. Never rejects. */
  async isWell(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await untilLate(timeoutMs, signal, async (until) => {
        const { statusCode, body } = await this.#send('GET', 'api/__health', null, until);
        await body.dump();
        return statusCode === 200;
      });
    } catch {
      return false;
    }
  }

  /**
   * Runs the action of a model. When `until` is aborted the connection is dropped and the server told, as far as it has said
   * what the call is known by. Rejects with `LostConnection`.
   */
  async run(asking: Asking, { model, input, stream }: ModelQuestion, until: AbortSignal): Promise<ModelAnswer> {
    const key = model.startsWith('/') ? model : `/model/${model}`;
    const place = stream ? 'api/runAction?stream=true' : 'api/runAction';
    let trace: string | null = null;
    let isWhole = false;
    try {
      const { statusCode, headers, body } = await this.#send('POST', place, JSON.stringify({ key, input }), until);
      body.on('error', () => undefined);
      trace = headerOf(headers, 'x-genkit-trace-id');
      const carrier = { status: statusCode, headers };
      const answer =
        statusCode >= 200 && statusCode < 300
          ? await (stream ? readStream : readDocument)(asking, body, carrier)
          : wireRefusal(asking, await startOf(body), carrier);
      isWhole = answer !== null;
      return answer ?? asking.refused({ message: `The reply has more than ${LONGEST_REPLY} bytes.`, code: null });
    } catch (error) {
      throw new LostConnection(httpFailure(error, this.#base.origin, trace !== null).message, { cause: error });
    } finally {
      if (!isWhole && trace !== null) await this.#cancel(trace);
    }
  }

  async close(): Promise<void> {
    this.#open.abort();
    await this.#agent.close();
  }

  async #cancel(traceId: string): Promise<void> {
    try {
      await untilLate(CANCEL_MS, this.#open.signal, async (until) => {
        const { body } = await this.#send('POST', 'api/cancelAction', JSON.stringify({ traceId }), until);
        await body.dump();
      });
    } catch {
      // Who cannot be told has nothing to end.
    }
  }

  #send(
    method: 'GET' | 'POST',
    place: string,
    body: string | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const url = new URL(place, this.#base);
    return this.#agent.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...this.#headers, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
      signal,
    });
  }
}

/** The start of a refusal: what follows says no more. */
async function startOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > LONGEST_REFUSAL) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function headerOf(headers: ResponseHead['headers'], name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
