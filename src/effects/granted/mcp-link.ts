import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../values/message-of.ts';
import type { JsonObject } from '../../types/json.ts';
import type { McpAnswers } from '../mcp-answers.ts';
import { type McpAsking, McpConnection, type McpEra, type McpOutcome, withoutPrefix } from './mcp-connection.ts';
import { unlessAborted } from '../../values/unless-aborted.ts';
import { MCP_SDK_MISSING, type McpSdk } from './mcp-sdk.ts';
import { CLOSED, type McpTransport } from './mcp-transport.ts';

export interface McpLimits {
  /** Milliseconds a server has to answer `initialize`. */
  readonly startMs: number;
  /** How often in a row a server is started again before it is given up. */
  readonly restarts: number;
  /** The wait before restart k is random × this × 2^(k − 1) milliseconds, at most 5 s. */
  readonly backoffMs: number;
  /** Milliseconds for which one that has answered before is tried again whatever `restarts` says. */
  readonly patienceMs: number;
  /** Milliseconds after which one that had answered before it was given up is tried once more. */
  readonly pauseMs: number;
}

export const MCP_LIMITS: McpLimits = {
  startMs: 30_000,
  restarts: 3,
  backoffMs: 100,
  patienceMs: 10_000,
  pauseMs: 10_000,
};

export interface McpLinkOptions {
  readonly limits: McpLimits;
  readonly answers: McpAnswers;
  readonly loadSdk: () => Promise<McpSdk | null>;
  /** A new way to the server; nothing is started before it is connected. */
  readonly open: (sdk: McpSdk) => McpTransport;
}

const LONGEST_BACKOFF_MS = 5000;
/** The share of `startMs` that a program has to say which revisions of the protocol it knows. */
const PROBE_SHARE = 1 / 3;

/**
 * One server: connected when first asked, connected again when it was lost, given up when that does not help. Requests wait for one
 * that is started anew, so that a restart costs those alone that were out.
 */
export class McpLink {
  readonly #options: McpLinkOptions;
  readonly #end = new AbortController();
  #connecting: Promise<McpConnection | null> | null = null;
  /** Null: it is not connected, or not yet. */
  #connection: McpConnection | null = null;
  /** What lost servers leave behind is cleared away. */
  #cleared: Promise<unknown> = Promise.resolve();
  /** Times it was lost, or did not start, since it last answered. */
  #losses = 0;
  #lastLoss = '';
  /** How the server is spoken to at first. */
  #era: McpEra = 'auto';
  /** True: it has all of `startMs` to say which revisions it knows. */
  #isSlow = false;
  /** When the first of these losses was; null: there was none since. */
  #lostAt: number | null = null;
  #hasAnswered = false;
  /** True: it has been connected once. */
  #wasUp = false;
  #givenUp: string | null = null;
  /** When one that was given up is tried again. */
  #retryAt = Number.POSITIVE_INFINITY;

  constructor(options: McpLinkOptions) {
    this.#options = options;
  }

  /** True: a call waits for answers to what the server asked. */
  get isWaiting(): boolean {
    return this.#connection?.isWaiting === true;
  }

  /** Never rejects. An aborted request is cancelled at the server. */
  request(method: string, params: JsonObject, asking: McpAsking): Promise<McpOutcome> {
    return this.#connected(asking, (connection) => connection.request(method, params, asking));
  }

  /** The tools as the server declares them. Never rejects. */
  listTools(asking: Pick<McpAsking, 'signal' | 'firstMs'>): Promise<McpOutcome> {
    return this.#connected(asking, (connection) => connection.listTools(asking.signal));
  }

  async #connected(
    { signal, firstMs }: Pick<McpAsking, 'signal' | 'firstMs'>,
    ask: (connection: McpConnection) => Promise<McpOutcome>,
  ): Promise<McpOutcome> {
    if (this.#givenUp !== null && performance.now() >= this.#retryAt) this.#tryAgain();
    this.#connecting ??= this.#connect();
    const connection = await this.#firstOf(this.#connecting, { signal, firstMs });
    if (connection === 'aborted') return { kind: 'error', error: 'timeout' };
    // One that has never been up says nothing about the subject, whose time would be spent on it.
    if (connection === 'late') {
      return { kind: 'broken', why: `did not answer \`initialize\` within ${firstMs} ms, and a trial has little more` };
    }
    if (connection === null) return { kind: 'broken', why: this.#givenUp ?? 'was closed' };
    const outcome = await ask(connection);
    const timedOut = outcome.kind === 'error' && outcome.error === 'timeout';
    if (!timedOut && connection.transport.lost() === null) this.#answered();
    return outcome;
  }

  /** The connection, or what came before it. It goes on being made. */
  async #firstOf(
    connecting: Promise<McpConnection | null>,
    { signal, firstMs }: Pick<McpAsking, 'signal'> & { readonly firstMs: number | undefined },
  ): Promise<McpConnection | null | 'aborted' | 'late'> {
    if (firstMs === undefined || this.#wasUp) return unlessAborted(connecting, signal);
    const timer = new AbortController();
    const late = sleep(firstMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    try {
      return await unlessAborted(Promise.race([connecting, late]), signal);
    } finally {
      timer.abort();
    }
  }

  /** Ends the connection, and the server with it when it was started here. */
  async close(): Promise<void> {
    this.#end.abort();
    const connection = await this.#connecting;
    await connection?.close();
    await this.#cleared;
  }

  /** A connection, or null when the server is given up or closed. */
  async #connect(): Promise<McpConnection | null> {
    const sdk = await this.#options.loadSdk();
    if (sdk === null) return this.#giveUp(MCP_SDK_MISSING);
    const { limits } = this.#options;
    while (!this.#end.signal.aborted) {
      if (this.#losses > limits.restarts && !this.#isAwaited()) {
        if (this.#hasAnswered) this.#retryAt = performance.now() + limits.pauseMs;
        const tried = this.#hasAnswered ? `for ${limits.patienceMs / 1000} s` : `${limits.restarts} times`;
        return this.#giveUp(`${this.#lastLoss}. It was tried again ${tried} without answering anything`);
      }
      if (this.#losses > 0) await this.#backOff();
      const connection = await this.#start(sdk);
      if (connection !== null) return connection;
      if (this.#givenUp !== null) return null;
    }
    return null;
  }

  async #start(sdk: McpSdk): Promise<McpConnection | null> {
    const { limits, answers, open } = this.#options;
    const transport = open(sdk);
    const timer = AbortSignal.timeout(limits.startMs);
    const probeMs = this.#isSlow ? limits.startMs : limits.startMs * PROBE_SHARE;
    const began = performance.now();
    let connection: McpConnection;
    try {
      const signal = AbortSignal.any([timer, this.#end.signal]);
      connection = await McpConnection.open(sdk, transport, { era: this.#era, answers, probeMs, signal });
    } catch (error) {
      const why = transport.lost();
      const lost = why === CLOSED ? null : why;
      await transport.close();
      if (this.#end.signal.aborted) return null;
      if (timer.aborted) {
        return this.#giveUp(`did not answer \`initialize\` within ${limits.startMs} ms${transport.said()}`);
      }
      this.#lose(
        lost !== null
          ? `${lost}${transport.said()}`
          : `could not be initialised: ${withoutPrefix(messageOf(error))}${transport.said()}`,
      );
      return this.#mayDoBetter(lost !== null, performance.now() - began > probeMs) && !transport.isHopeless()
        ? null
        : this.#giveUp(this.#lastLoss);
    }
    this.#era = connection.era;
    this.#connection = connection;
    this.#wasUp = true;
    connection.onClose(() => {
      this.#connecting = null;
      this.#connection = null;
      this.#cleared = Promise.allSettled([this.#cleared, transport.close()]);
      this.#lose(`${transport.lost() ?? 'was lost'}${transport.said()}`);
    });
    return connection;
  }

  /**
   * Whether a server that did not connect is tried again, and how. Some old ones end at a question that they do not know, and
   * slow new ones say too late that they know it.
   */
  #mayDoBetter(wasLost: boolean, wasSlow: boolean): boolean {
    if (wasLost) {
      this.#era = this.#era === 'auto' ? 'legacy' : 'auto';
      return true;
    }
    // A server that answers, but not as the protocol asks, will not do better the next time.
    const isOther = this.#era === 'legacy' || (wasSlow && !this.#isSlow);
    this.#era = 'auto';
    this.#isSlow ||= wasSlow;
    return isOther;
  }

  #answered(): void {
    this.#losses = 0;
    this.#lostAt = null;
    this.#hasAnswered = true;
  }

  #lose(why: string): void {
    this.#losses += 1;
    this.#lastLoss = why;
    this.#lostAt ??= performance.now();
  }

  /** True: it has answered before, and may be about to come back. */
  #isAwaited(): boolean {
    const { patienceMs } = this.#options.limits;
    return this.#hasAnswered && this.#lostAt !== null && performance.now() < this.#lostAt + patienceMs;
  }

  /** One attempt: it is given up again for a while where that fails. */
  #tryAgain(): void {
    this.#givenUp = null;
    this.#connecting = null;
    this.#retryAt = Number.POSITIVE_INFINITY;
    this.#losses = this.#options.limits.restarts;
  }

  #giveUp(why: string): null {
    this.#givenUp = why;
    return null;
  }

  async #backOff(): Promise<void> {
    const most = Math.min(this.#options.limits.backoffMs * 2 ** (this.#losses - 1), LONGEST_BACKOFF_MS);
    await sleep(Math.random() * most, undefined, { signal: this.#end.signal }).catch(() => undefined);
  }
}
