import type { Dispatcher } from 'undici';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import type { CallBill } from '../../types/cassette.ts';
import type { LiveCounts } from '../../types/live-counts.ts';
import type { MessagePart } from '../../types/message.ts';
import type { SeedWords } from '../../types/plan.ts';
import { CallRows, type CallRow } from './call-rows.ts';
import type { EnvProxies } from './env-proxies.ts';
import type { Exchange } from './exchange.ts';
import { judgeFailure, type JudgedFailure } from './judge-failure.ts';
import { type BudgetLimits, LiveBudget, type Spending } from './live-budget.ts';
import { DEFAULTS, type LiveAnswer, LiveCall, type LiveEndpoint, type LiveQuestion } from './live-call.ts';
import { ProviderAccess } from './provider-access.ts';
import { type FailedAttempt, retried } from './retried.ts';
import type { TraceHeaders } from '../../values/trace-context.ts';

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

/** Asks a live model. Rejects only with the signal's reason. */
export type CallModel = (
  endpoint: LiveEndpoint,
  question: LiveQuestion,
  at: LiveAddress,
  options: CallModelOptions,
) => Promise<LiveAnswer>;

export interface CallModelOptions {
  readonly signal: AbortSignal;
  /** Gets what the call came to, however it ended. */
  readonly onBill?: (bill: CallBill) => void;
  /** Gets text and reasoning as they arrive, from endpoints that stream. */
  readonly onPart?: (part: MessagePart) => void;
  /** Gets each attempt that failed and is made again, with the wait before the next. */
  readonly onRetry?: (failure: JudgedFailure, waitMs: number) => void;
  /** Absent: it is asked whatever earlier runs were answered. */
  readonly reuse?: AnswerReuse;
  /** Headers that tell the server which trial asks; absent: it is not told. */
  readonly traceHeaders?: TraceHeaders | undefined;
}

/** Answers of earlier runs to one call. */
export interface AnswerReuse {
  /** `request`: whom it goes to and what is sent, keys aside. Null: it has not been answered before. */
  find(request: string): Promise<Answered | null>;
  /** Takes what the request was answered with, after `find` had nothing. */
  keep(answer: Answered): Promise<void>;
}

type Answered = Extract<LiveAnswer, { readonly kind: 'answer' }>;

export interface LiveModels {
  readonly call: CallModel;
  /** What all calls came to until now. */
  counts(): LiveCounts;
  /** What the same run spent before, which its budget includes. */
  charge(spent: Spending): void;
  /** Breaks off what is in flight. */
  close(): Promise<void>;
}

export interface LiveModelsOptions extends BudgetLimits {
  /** Called once, when the budget is used up and no call is in flight any more. */
  readonly onSpent: () => void;
  /** By way of whom servers are asked; null or absent: directly. */
  readonly proxies?: EnvProxies | null;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Live models of one run: shared connections, queues, budget and counts. Needs closing. */
export async function createLiveModels(options: LiveModelsOptions): Promise<LiveModels> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const connecting = { connect: { timeout: CONNECT_TIMEOUT_MS } };
  const { proxies = null } = options;
  const agent = proxies === null ? new Agent(connecting) : new EnvHttpProxyAgent({ ...connecting, ...proxies });
  const caller = new Caller(agent, options);
  return {
    call: async (endpoint, question, at, { onBill, ...options }) => {
      const row = caller.rowOf(endpoint, at);
      try {
        return await caller.call(endpoint, question, at, { row, ...options });
      } finally {
        onBill?.(row.bill());
      }
    },
    counts: () => caller.counts(),
    charge: (spent) => caller.charge(spent),
    close: () => agent.destroy(),
  };
}

class Caller {
  private readonly dispatcher: Dispatcher;
  private readonly budget: LiveBudget;
  private readonly rows = new CallRows();
  private readonly accesses = new Map<string, ProviderAccess>();
  private tickets = 0;

  constructor(dispatcher: Dispatcher, options: LiveModelsOptions) {
    this.dispatcher = dispatcher;
    this.budget = new LiveBudget(options, options.onSpent);
  }

  counts(): LiveCounts {
    return this.rows.counts(this.budget.isSpent ? 'budget' : null);
  }

  charge(spent: Spending): void {
    this.budget.charge(spent);
  }

  /** Counts one call, by itself and in its row. */
  rowOf({ endpoint }: LiveEndpoint, { scenario, backend }: LiveAddress): CallRow {
    return this.rows.row(scenario, backend, endpoint).part();
  }

  async call(
    live: LiveEndpoint,
    question: LiveQuestion,
    at: LiveAddress,
    { row, signal, onPart, onRetry, reuse, traceHeaders }: Pick<AttemptPlace, 'row'> & CallModelOptions,
  ): Promise<LiveAnswer> {
    const drawn = draw(at.words, at.trial, STREAM.model, addressKey(at)) >>> 1;
    const call = new LiveCall(live, { ...question, drawn }, this.budget.isLimited);
    const answered = (await reuse?.find(call.request)) ?? null;
    if (answered !== null) {
      row.count('reused');
      countEnd(row, answered);
      return answered;
    }
    const access = this.accessOf(live, call.url);
    const ticket = this.tickets++;
    // Counted when it is over: one that the budget has no room for is no call, and what journals note of counts must not fall.
    let isMade = true;
    let attempts = 0;
    try {
      const tried = await retried<LiveAnswer>(
        () => {
          attempts++;
          return this.attempt(call, { access, ticket, row, signal, onPart, traceHeaders });
        },
        {
          maxRetries: live.endpoint.maxRetries ?? DEFAULTS.maxRetries,
          jitter: (retry) => draw(at.words, at.trial, STREAM.jitter, addressKey(at), retry) / 2 ** 32,
          signal,
          onRetry: (failure, waitMs) => {
            row.count('retries');
            onRetry?.(failure, waitMs);
          },
        },
      );
      isMade = tried.kind !== 'spent';
      if (tried.kind === 'answer') {
        countEnd(row, tried);
        access.succeeded();
        await reuse?.keep(tried);
      } else if (isMade) row.count('failures');
      return tried.kind === 'failed' ? this.failed(tried.failure, { access, call, attempts }) : tried;
    } finally {
      if (isMade) row.count('calls');
    }
  }

  /** One request, in its turn and within the budget. */
  private async attempt(
    call: LiveCall,
    { access, ticket, row, signal, onPart, traceHeaders }: AttemptPlace,
  ): Promise<LiveAnswer | FailedAttempt> {
    const pass = await access.limiter.enter(ticket, call.most.tokens, signal);
    let used: number | null = 0;
    try {
      if (access.closedBy !== null) return { kind: 'broken', message: access.closedBy };
      const reservation = await this.budget.reserve(call.most);
      if (reservation === null) return { kind: 'spent' };
      let spent: Spending = call.most;
      try {
        signal.throwIfAborted();
        const sent = await call.send(this.dispatcher, { signal, onPart, traceHeaders });
        const failure = sent.kind === 'reply' ? null : judgeFailure(sent, Date.now());
        // A full rate limit is everybody's: nobody begins before the server said so, not even who gets this place.
        if (failure?.blame === 'crowd' && failure.retry) access.limiter.pause(failure.waitMs ?? 0);
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

  private failed(
    { blame, message: why, isLate, status }: JudgedFailure,
    { access, call, attempts }: FailedCall,
  ): LiveAnswer {
    // A path that is not there is mostly a base_url without its end, such as /v1.
    const text = `${call.name}${status === 404 || status === 405 ? call.url.pathname : ''}: ${why}`;
    const message = attempts === 1 ? text : `${text} (after ${attempts} attempts)`;
    if (blame === 'subject') return { kind: 'error', message, ...(isLate === true && { isLate }) };
    if (blame === 'crowd') {
      // What this machine lacks says itself what to do.
      const advice = status === undefined ? '' : ' Ask less at a time: requests_per_minute, tokens_per_minute.';
      return { kind: 'broken', message: `${message}.${advice}` };
    }
    access.refused(text);
    return { kind: 'broken', message };
  }

  private accessOf({ endpoint, key }: LiveEndpoint, url: URL): ProviderAccess {
    const id = JSON.stringify([endpoint.provider, url.host, key]);
    const limits = {
      maxConcurrent: endpoint.maxConcurrent ?? DEFAULTS.maxConcurrent,
      requestsPerMinute: endpoint.requestsPerMinute ?? null,
      tokensPerMinute: endpoint.tokensPerMinute ?? null,
    };
    const sharedAccess = this.accesses.get(id);
    if (sharedAccess !== undefined) {
      sharedAccess.limiter.tighten(limits);
      return sharedAccess;
    }
    const access = new ProviderAccess(limits);
    this.accesses.set(id, access);
    return access;
  }
}

interface FailedCall {
  readonly access: ProviderAccess;
  readonly call: LiveCall;
  readonly attempts: number;
}

interface AttemptPlace {
  readonly access: ProviderAccess;
  readonly ticket: number;
  readonly row: CallRow;
  readonly signal: AbortSignal;
  readonly onPart?: CallModelOptions['onPart'];
  readonly traceHeaders?: CallModelOptions['traceHeaders'];
}

/** Counts what a reader must know of an answer that came. */
function countEnd(row: CallRow, { finish }: Answered): void {
  if (finish === 'filtered') row.count('filtered');
  if (finish === 'length') row.count('cut');
}

const NOTHING: Spending = { tokens: 0, nanoUsd: 0 };

function addressKey({ node, visit, attempt, call }: LiveAddress): number {
  return hashText(`model:${node}:${visit}:${attempt}:${call}`);
}
