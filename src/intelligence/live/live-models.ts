import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { ModelMessage } from '../../plugin/request.ts';
import { backoffMs } from '../../random/backoff.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import type { CallBill } from '../../types/cassette.ts';
import type { LiveCounts } from '../../types/live-counts.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import type { SeedWords } from '../../types/plan.ts';
import { CallBook, type CallRow } from './call-book.ts';
import { type Exchange, exchange } from './exchange.ts';
import { judgeFailure, type JudgedFailure } from './judge-failure.ts';
import { keyMask, maskExchange } from './key-mask.ts';
import { type BudgetLimits, LiveBudget, type Spending } from './live-budget.ts';
import { costOf, mostPromptTokens, worstCase } from './model-cost.ts';
import { ModelLine } from './model-line.ts';
import { type ModelUsage, PROVIDERS, type WireReply, type WireRequest } from './provider.ts';

/** What a node asks, as far as a provider hears of it. */
export interface LiveQuestion {
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number | null;
}

/** Which call of which trial it is; with the seed words, the address of its jitter. */
export interface LiveAddress {
  readonly scenario: string;
  readonly words: SeedWords;
  readonly backend: string;
  readonly trial: number;
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
  /** Model requests of this trial so far, this one included. */
  readonly call: number;
}

/** `spent`: the run's budget does not allow the call; nothing may be concluded from the trial. */
export type LiveAnswer =
  | {
      readonly kind: 'answer';
      readonly content: string;
      /** Null: the provider did not say. */
      readonly usage: ModelUsage | null;
    }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'spent' };

/**
 * The one door to live models. Rejects only with the signal's reason. `onBill` is told what the call came to, however it
 * ended.
 */
export type CallModel = (
  endpoint: LiveEndpoint,
  question: LiveQuestion,
  at: LiveAddress,
  signal: AbortSignal,
  onBill?: (bill: CallBill) => void,
) => Promise<LiveAnswer>;

/** An endpoint and the key that its variable held. */
export interface LiveEndpoint {
  readonly endpoint: ModelEndpoint;
  /** Null: none is sent. */
  readonly key: string | null;
  /** What makes its connections; absent: those that all share. Whoever made it closes it. */
  readonly dispatcher?: Dispatcher;
}

export interface LiveModels {
  readonly call: CallModel;
  /** What all calls came to until now. */
  counts(): LiveCounts;
  /** Breaks off what is in flight. */
  close(): Promise<void>;
}

export interface LiveModelsOptions extends BudgetLimits {
  /** Called once, when the budget is used up and no call is in flight any more. */
  readonly onSpent: () => void;
}

const DEFAULTS = { maxConcurrent: 64, timeoutMs: 60_000, maxRetries: 5 };
const CONNECT_TIMEOUT_MS = 10_000;
/** Cap of an answer where a budget needs one and nobody gives it. */
const BUDGET_MAX_TOKENS = 4096;

/** Live models of one run: shared connections, queues, budget and counts. Needs closing. */
export async function createLiveModels(options: LiveModelsOptions): Promise<LiveModels> {
  const { Agent } = await import('undici');
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
  const caller = new Caller(agent, options);
  return {
    call: async (endpoint, question, at, signal, onBill) => {
      const row = caller.rowOf(endpoint, at);
      try {
        return await caller.call(endpoint, question, at, { row, signal });
      } finally {
        onBill?.(row.bill());
      }
    },
    counts: () => caller.counts(),
    close: () => agent.destroy(),
  };
}

class Caller {
  private readonly dispatcher: Dispatcher;
  private readonly budget: LiveBudget;
  private readonly book = new CallBook();
  private readonly lines = new Map<string, ModelLine>();
  private tickets = 0;

  constructor(dispatcher: Dispatcher, options: LiveModelsOptions) {
    this.dispatcher = dispatcher;
    this.budget = new LiveBudget(options, options.onSpent);
  }

  counts(): LiveCounts {
    return this.book.counts(this.budget.isSpent ? 'budget' : null);
  }

  /** Counts one call, by itself and in the book. */
  rowOf({ endpoint }: LiveEndpoint, { scenario, backend }: LiveAddress): CallRow {
    return this.book.row(scenario, backend, endpoint).part();
  }

  async call(
    live: LiveEndpoint,
    question: LiveQuestion,
    at: LiveAddress,
    { row, signal }: Pick<AttemptPlace, 'row' | 'signal'>,
  ): Promise<LiveAnswer> {
    const call = new LiveCall(live, question, this.budget.isLimited);
    const line = this.lineOf(live, call.url);
    const ticket = this.tickets++;
    row.count('calls');
    for (let retry = 0; ; retry++) {
      const tried = await this.attempt(call, { line, ticket, row, signal });
      if (tried.kind !== 'failed') {
        if (tried.kind === 'answer') line.succeeded();
        else if (tried.kind === 'spent') row.count('calls', -1);
        else row.count('failures');
        return tried;
      }
      const { failure } = tried;
      if (!failure.retry || retry >= (live.endpoint.maxRetries ?? DEFAULTS.maxRetries)) {
        row.count('failures');
        return this.failed(failure, line, call);
      }
      row.count('retries');
      const jitter = draw(at.words, at.trial, STREAM.jitter, addressKey(at), retry) / 2 ** 32;
      await sleep(Math.max(backoffMs(retry, jitter), failure.waitMs ?? 0), undefined, { signal });
    }
  }

  /** One request, in its turn and within the budget. */
  private async attempt(
    call: LiveCall,
    { line, ticket, row, signal }: AttemptPlace,
  ): Promise<LiveAnswer | { readonly kind: 'failed'; readonly failure: JudgedFailure }> {
    const pass = await line.lane.enter(ticket, call.most.tokens, signal);
    let used: number | null = 0;
    try {
      if (line.closedBy !== null) return { kind: 'broken', message: line.closedBy };
      const reservation = await this.budget.reserve(call.most);
      if (reservation === null) return { kind: 'spent' };
      let spent: Spending = call.most;
      try {
        signal.throwIfAborted();
        const sent = await call.send(this.dispatcher, signal);
        const failure = sent.kind === 'reply' ? null : judgeFailure(sent, Date.now());
        // A full rate limit is everybody's: nobody begins before the server said so, not even who gets this place.
        if (failure?.blame === 'crowd' && failure.retry) line.lane.pause(failure.waitMs ?? 0);
        const usage = sent.kind === 'reply' ? sent.reply.usage : null;
        spent = failure?.mayCost === false ? NOTHING : call.spent(usage);
        used = usage === null && failure?.mayCost !== false ? null : spent.tokens;
        if (usage !== null) row.add(usage);
        else if (failure?.mayCost !== false) row.count('unknownUsage');
        if (failure !== null) return { kind: 'failed', failure };
        return call.answer((sent as Extract<Exchange, { readonly kind: 'reply' }>).reply);
      } finally {
        reservation.settle(spent);
      }
    } finally {
      pass.leave(used);
    }
  }

  private failed({ blame, message }: JudgedFailure, line: ModelLine, call: LiveCall): LiveAnswer {
    const told = `${call.name}: ${message}`;
    if (blame === 'subject') return { kind: 'error', message: told };
    if (blame === 'crowd') {
      return { kind: 'broken', message: `${told}. Ask less at a time: requests_per_minute, tokens_per_minute.` };
    }
    line.refused(told);
    return { kind: 'broken', message: told };
  }

  private lineOf({ endpoint, key }: LiveEndpoint, url: URL): ModelLine {
    const id = JSON.stringify([endpoint.provider, url.host, key]);
    const limits = {
      maxConcurrent: endpoint.maxConcurrent ?? DEFAULTS.maxConcurrent,
      requestsPerMinute: endpoint.requestsPerMinute ?? null,
      tokensPerMinute: endpoint.tokensPerMinute ?? null,
    };
    const known = this.lines.get(id);
    if (known !== undefined) {
      known.lane.tighten(limits);
      return known;
    }
    const line = new ModelLine(limits);
    this.lines.set(id, line);
    return line;
  }
}

interface AttemptPlace {
  readonly line: ModelLine;
  readonly ticket: number;
  readonly row: CallRow;
  readonly signal: AbortSignal;
}

const NOTHING: Spending = { tokens: 0, nanoUsd: 0 };

function addressKey({ node, visit, attempt, call }: LiveAddress): number {
  return hashText(`model:${node}:${visit}:${attempt}:${call}`);
}

/** A question put into the words of its provider. */
class LiveCall {
  readonly url: URL;
  /** The most that one attempt may spend. */
  readonly most: Spending;
  /** How errors call the endpoint. */
  readonly name: string;
  private readonly live: LiveEndpoint;
  private readonly wire: WireRequest;
  private readonly mask: (text: string) => string;

  constructor(live: LiveEndpoint, { messages, maxTokens: asked }: LiveQuestion, isLimited: boolean) {
    const { endpoint, key } = live;
    const provider = PROVIDERS[endpoint.provider];
    const caps = [asked, endpoint.maxTokens].filter((cap) => cap !== null && cap !== undefined);
    const given = caps.length === 0 ? null : Math.min(...caps);
    const maxTokens = isLimited ? (given ?? BUDGET_MAX_TOKENS) : given;
    this.live = live;
    this.wire = provider.write({
      model: endpoint.model,
      messages,
      maxTokens,
      temperature: endpoint.temperature ?? null,
      stream: endpoint.stream ?? false,
    });
    const base = (endpoint.baseUrl ?? provider.baseUrl ?? '').replace(/\/+$/, '');
    this.url = new URL(`${base}${this.wire.path}`);
    this.most = worstCase(mostPromptTokens(messages), maxTokens ?? BUDGET_MAX_TOKENS, endpoint.price ?? null);
    this.name = `${endpoint.provider} "${endpoint.model}" at ${this.url.host}`;
    this.mask = keyMask(key);
  }

  async send(shared: Dispatcher, signal: AbortSignal): Promise<Exchange> {
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
    });
    return maskExchange(sent, this.mask);
  }

  /** What the budget is told; what nobody counted counts as the most that it can have been. */
  spent(usage: ModelUsage | null): Spending {
    if (usage === null) return this.most;
    const { price } = this.live.endpoint;
    return {
      tokens: usage.promptTokens + usage.completionTokens,
      nanoUsd: price === undefined ? 0 : costOf(usage, price),
    };
  }

  answer(reply: WireReply): LiveAnswer {
    if (reply.kind === 'error') return { kind: 'error', message: `${this.name}: ${reply.message}` };
    return { kind: 'answer', content: reply.content, usage: reply.usage };
  }
}
