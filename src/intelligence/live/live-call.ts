import type { Dispatcher } from 'undici';
import type { ModelRequest } from '../../plugin/request.ts';
import type { JsonObject } from '../../types/json.ts';
import type { MessagePart, TokenUsage } from '../../types/message.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import { writeJson } from '../../values/exact-json.ts';
import { isJsonObject, isRecord } from '../../values/is-json.ts';
import { type Exchange, exchange } from './exchange.ts';
import { keyMask, maskExchange, maskPart } from './key-mask.ts';
import type { Spending } from './live-budget.ts';
import { costOf, mostPromptTokens, worstCase } from './model-cost.ts';
import { PROVIDERS } from './providers/provider.ts';
import type { Question, WireAnswer, WireReply, WireRequest } from './providers/protocol.ts';
import { asWritten, leastOf, mostWrittenTokens } from './written-request.ts';
import type { TraceHeaders } from '../../values/trace-context.ts';

/** What a node asks, as far as a provider hears of it. */
export interface LiveQuestion extends Asked {
  /** What endpoints get whose seed is another one for each call. */
  readonly drawn?: number;
}

type Asked = Pick<ModelRequest, 'messages' | 'maxTokens' | 'tools' | 'toolChoice' | 'output' | 'written'>;

/** An endpoint and the key that its variable held. */
export interface LiveEndpoint {
  readonly endpoint: ModelEndpoint;
  /** Null: none is sent. */
  readonly key: string | null;
  /** What makes its connections; absent: those that all share. Whoever made it closes it. */
  readonly dispatcher?: Dispatcher;
}

/** `spent`: the run's budget does not allow the call; nothing may be concluded from the trial. */
export type LiveAnswer =
  | WireAnswer
  /** `isLate`: the time limit came first; `usage`: what it took all the same, where that is known. */
  | { readonly kind: 'error'; readonly message: string; readonly isLate?: true; readonly usage?: TokenUsage }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'spent' };

/** Used where an endpoint does not say otherwise. */
export const DEFAULTS = { maxConcurrent: 64, timeoutMs: 60_000, maxRetries: 5 };
/** Cap of an answer where a budget needs one and nobody gives it. */
const BUDGET_MAX_TOKENS = 4096;

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onPart?: ((part: MessagePart) => void) | undefined;
  /** Headers besides those of the endpoint, which come first. */
  readonly traceHeaders?: TraceHeaders | undefined;
}

/** A question put into the words of its provider. */
export class LiveCall {
  readonly url: URL;
  /** The most that one attempt may spend. */
  readonly most: Spending;
  /** How errors call the endpoint. */
  readonly name: string;
  private readonly live: LiveEndpoint;
  private readonly question: Question;
  private readonly wire: WireRequest;
  private readonly isWritten: boolean;
  private readonly mask: (text: string) => string;

  constructor(live: LiveEndpoint, question: LiveQuestion, isLimited: boolean) {
    const { endpoint, key } = live;
    const provider = PROVIDERS[endpoint.provider];
    const { messages, tools = [], written } = question;
    const most = leastOf([question.maxTokens, endpoint.maxTokens]) ?? (isLimited ? BUDGET_MAX_TOKENS : null);
    this.live = live;
    this.isWritten = written !== undefined;
    this.question = questionTo(endpoint, question, most);
    // Scores have no tokens.
    const answer = provider.readScores !== undefined ? 0 : (most ?? BUDGET_MAX_TOKENS);
    if (written === undefined) {
      const wire = provider.write(this.question);
      this.wire = endpoint.body === undefined ? wire : { ...wire, body: merged(wire.body, endpoint.body) };
      this.most = worstCase(mostPromptTokens(messages, tools), answer, endpoint.price ?? null);
    } else {
      const { maxTokens, ...wire } = asWritten(written, endpoint, most);
      this.wire = wire;
      this.most = worstCase(mostWrittenTokens(wire.body), maxTokens ?? BUDGET_MAX_TOKENS, endpoint.price ?? null);
    }
    const base = (endpoint.baseUrl ?? provider.baseUrl ?? '').replace(/\/+$/, '');
    this.url = new URL(`${base}${this.wire.path}`);
    this.name = `${endpoint.provider} "${endpoint.model}" at ${this.url.host}`;
    this.mask = keyMask(key);
  }

  /** Whom it asks and what it sends, keys aside: tells it from every other question. */
  get request(): string {
    return writeJson([this.url.href, this.live.endpoint.headers ?? {}, this.wire.headers, this.wire.body]);
  }

  async send(shared: Dispatcher, { signal, onPart, traceHeaders }: SendOptions): Promise<Exchange> {
    const { endpoint, key, dispatcher = shared } = this.live;
    const provider = PROVIDERS[endpoint.provider];
    const timeoutMs = endpoint.timeoutMs ?? DEFAULTS.timeoutMs;
    const sent = await exchange({
      dispatcher,
      url: this.url.href,
      headers: {
        ...traceHeaders,
        ...endpoint.headers,
        ...this.wire.headers,
        ...(key !== null && Object.fromEntries([provider.keyHeader(key)])),
      },
      body: this.wire.body,
      timeoutMs,
      firstByteTimeoutMs: endpoint.firstByteTimeoutMs ?? timeoutMs,
      signal,
      stream: endpoint.stream === true && !this.isWritten ? provider.openStream() : null,
      read: (body) => {
        const reply = provider.readScores?.(body, this.question) ?? provider.read(body);
        return this.isWritten ? withBody(reply, body) : reply;
      },
      ...(onPart !== undefined && { onPart: (part) => onPart(maskPart(part, this.mask)) }),
    });
    return maskExchange(sent, this.mask);
  }

  /** What the budget is told; what nobody counted counts as the most that it can have been. */
  spent(usage: TokenUsage | null): Spending {
    if (usage === null) return this.most;
    const { price } = this.live.endpoint;
    return {
      tokens: usage.promptTokens + usage.completionTokens,
      nanoUsd: price === undefined ? 0 : costOf(usage, price),
    };
  }

  answer(reply: WireReply): LiveAnswer {
    if (reply.kind === 'error') return this.failed(reply.message, reply.usage);
    // A workflow would go on with an empty text, as if that were what the model had to say.
    const isWithheld = reply.finish === 'filtered' && reply.parts.every(({ kind }) => kind === 'reasoning');
    if (!isWithheld || this.isWritten) return reply;
    return this.failed('the answer was withheld (a refusal or a content filter)', reply.usage);
  }

  private failed(why: string, usage: TokenUsage | null): LiveAnswer {
    return { kind: 'error', message: `${this.name}: ${why}`, ...(usage !== null && { usage }) };
  }
}

function questionTo(endpoint: ModelEndpoint, question: LiveQuestion, maxTokens: number | null): Question {
  const { model, temperature = null, topP = null, seed, stop = [], reasoningEffort = null, stream = false } = endpoint;
  const { messages, tools = [], toolChoice = 'auto', output = null } = question;
  return {
    model,
    messages,
    maxTokens,
    temperature,
    topP,
    seed: (seed === 'trial' ? question.drawn : seed) ?? null,
    stop,
    reasoningEffort,
    stream,
    tools,
    toolChoice,
    output,
  };
}

/** What the user puts into the body, tables within tables too. */
function merged(body: JsonObject, more: JsonObject): JsonObject {
  const entries = Object.entries(more).map(([key, value]) => {
    const own = Object.hasOwn(body, key) ? body[key] : undefined;
    return [key, isJsonObject(own) && isJsonObject(value) ? merged(own, value) : value] as const;
  });
  return { ...body, ...Object.fromEntries(entries) };
}

function withBody(reply: WireReply, body: unknown): WireReply {
  // What was read as an answer is an object, and data.
  return reply.kind === 'answer' && isRecord(body) ? { ...reply, body: body as JsonObject } : reply;
}
