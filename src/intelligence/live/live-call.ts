import type { Dispatcher } from 'undici';
import type { ModelRequest } from '../../plugin/request.ts';
import type { FinishReason, MessagePart, TokenUsage } from '../../types/message.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import { type Exchange, exchange } from './exchange.ts';
import { keyMask, maskExchange, maskPart } from './key-mask.ts';
import type { Spending } from './live-budget.ts';
import { costOf, mostPromptTokens, worstCase } from './model-cost.ts';
import { PROVIDERS } from './providers/provider.ts';
import type { WireReply, WireRequest } from './providers/protocol.ts';

/** What a node asks, as far as a provider hears of it. */
export type LiveQuestion = Pick<ModelRequest, 'messages' | 'maxTokens' | 'tools' | 'toolChoice' | 'output'>;

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
  | {
      readonly kind: 'answer';
      readonly parts: readonly MessagePart[];
      /** Null: the provider did not say. */
      readonly finish: FinishReason | null;
      /** Null: the provider did not say. */
      readonly usage: TokenUsage | null;
    }
  /** `isLate`: the time limit came first. */
  | { readonly kind: 'error'; readonly message: string; readonly isLate?: true }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'spent' };

/** Used where an endpoint does not say otherwise. */
export const DEFAULTS = { maxConcurrent: 64, timeoutMs: 60_000, maxRetries: 5 };
/** Cap of an answer where a budget needs one and nobody gives it. */
const BUDGET_MAX_TOKENS = 4096;

/** A question put into the words of its provider. */
export class LiveCall {
  readonly url: URL;
  /** The most that one attempt may spend. */
  readonly most: Spending;
  /** How errors call the endpoint. */
  readonly name: string;
  private readonly live: LiveEndpoint;
  private readonly wire: WireRequest;
  private readonly mask: (text: string) => string;

  constructor(live: LiveEndpoint, question: LiveQuestion, isLimited: boolean) {
    const { messages, maxTokens: questionMaxTokens, tools = [], toolChoice = 'auto', output = null } = question;
    const { endpoint, key } = live;
    const provider = PROVIDERS[endpoint.provider];
    const caps = [questionMaxTokens, endpoint.maxTokens].filter((cap) => cap !== null && cap !== undefined);
    const leastCap = caps.length === 0 ? null : Math.min(...caps);
    const maxTokens = isLimited ? (leastCap ?? BUDGET_MAX_TOKENS) : leastCap;
    this.live = live;
    this.wire = provider.write({
      model: endpoint.model,
      messages,
      maxTokens,
      temperature: endpoint.temperature ?? null,
      stream: endpoint.stream ?? false,
      tools,
      toolChoice,
      output,
    });
    const base = (endpoint.baseUrl ?? provider.baseUrl ?? '').replace(/\/+$/, '');
    this.url = new URL(`${base}${this.wire.path}`);
    this.most = worstCase(mostPromptTokens(messages, tools), maxTokens ?? BUDGET_MAX_TOKENS, endpoint.price ?? null);
    this.name = `${endpoint.provider} "${endpoint.model}" at ${this.url.host}`;
    this.mask = keyMask(key);
  }

  async send(shared: Dispatcher, signal: AbortSignal, onPart?: (part: MessagePart) => void): Promise<Exchange> {
    const { endpoint, key, dispatcher = shared } = this.live;
    const provider = PROVIDERS[endpoint.provider];
    const timeoutMs = endpoint.timeoutMs ?? DEFAULTS.timeoutMs;
    const sent = await exchange({
      dispatcher,
      url: this.url.href,
      headers: { ...this.wire.headers, ...(key !== null && Object.fromEntries([provider.keyHeader(key)])) },
      body: this.wire.body,
      timeoutMs,
      firstByteTimeoutMs: endpoint.firstByteTimeoutMs ?? timeoutMs,
      signal,
      stream: endpoint.stream === true ? provider.openStream() : null,
      read: (body) => provider.read(body),
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
    if (reply.kind === 'error') return { kind: 'error', message: `${this.name}: ${reply.message}` };
    return reply;
  }
}
