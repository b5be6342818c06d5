import type { Redis } from 'ioredis';
import { PasskError } from '../errors.ts';
import { messageOf } from '../values/message-of.ts';
import { orAborted } from '../values/unless-aborted.ts';
import { withAnySignal } from '../values/with-any-signal.ts';
import type { QueueLibraries } from './queue-libraries.ts';
import type { RedisAddress } from './redis-address.ts';

/** A Redis that does not answer within this time counts as away, even where its socket is still open. */
const ANSWER_MS = 10_000;
const ASK_MS = 3_000;
/** The client's message for a transaction whose connection broke before all answers had come. */
const CUT_OFF = 'Command aborted due to connection close';
/** Shorter absences are not reported. */
const QUIET_MS = 1_000;
const LONGEST_DELAY_MS = 2_000;

export interface RedisLinkOptions {
  /** How long Redis may be away before everything that waits for it fails. */
  readonly outageMs: number;
  /** Called with sentences about absences. */
  readonly onNotice: (text: string) => void;
}

/**
 * A connection that outlives absences of Redis: commands wait, with growing pauses between attempts, until it is back
 * or has been away for too long. Needs closing.
 */
export class RedisLink {
  readonly client: Redis;
  readonly shown: string;
  /** Aborted with the `PasskError` to be thrown when Redis is given up. */
  readonly lost: AbortSignal;
  private readonly lose = new AbortController();
  private readonly options: RedisLinkOptions;
  private readonly more: Redis[] = [];
  private readonly answerMs: number;
  private readonly asking: NodeJS.Timeout;
  private giveUp: NodeJS.Timeout | null = null;
  private tell: NodeJS.Timeout | null = null;
  private saidLost = false;
  private closed = false;
  private why = 'no answer';

  constructor({ Redis }: Pick<QueueLibraries, 'Redis'>, address: RedisAddress, options: RedisLinkOptions) {
    this.options = options;
    this.shown = address.shown;
    this.lost = this.lose.signal;
    this.answerMs = Math.min(ANSWER_MS, options.outageMs / 2);
    this.client = new Redis(address.url, {
      // Commands wait for Redis instead of failing; BullMQ asks for it, too.
      maxRetriesPerRequest: null,
      connectTimeout: ANSWER_MS,
      retryStrategy: (attempt) => Math.min(LONGEST_DELAY_MS, 50 * 2 ** Math.min(attempt, 10)),
      // The primary has become a replica: the same name now leads to the new primary.
      reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    });
    this.followDuplicates();
    this.away();
    this.client.on('ready', () => this.back());
    this.client.on('close', () => this.away());
    this.client.on('error', (error: Error) => this.trouble(error));
    this.asking = setInterval(() => void this.ask(), Math.min(ASK_MS, options.outageMs / 2));
  }

  /** A further connection, for commands that block; closed with this one. */
  another(): Redis {
    const redis = this.client.duplicate();
    // The first connection reports absences for both.
    redis.on('error', () => undefined);
    return redis;
  }

  /** BullMQ makes further connections from the client; they end with it and do not reconnect. */
  private followDuplicates(): void {
    const { client, more } = this;
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override) => {
      const copy = duplicate(override);
      const connect = copy.connect.bind(copy);
      copy.connect = (callback) => {
        if (this.closed || this.lost.aborted) return Promise.reject(new Error('Connection is closed.'));
        return connect(callback);
      };
      more.push(copy);
      return copy;
    };
  }

  /**
   * Resolves to the answer. Rejects when Redis cannot be reached, or with the reason of `signal`. The question is asked
   * again when the connection broke meanwhile: asking it twice must be harmless.
   */
  async orLost<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const promise = this.again(ask);
    const ends = [this.lost, signal].filter((end) => end !== undefined);
    try {
      return await withAnySignal(ends, (end) => orAborted(promise, end));
    } catch (error) {
      if (error instanceof PasskError) throw error;
      const end = ends.find(({ aborted }) => aborted);
      // Never the client's own error: it holds the command, which may hold a password.
      throw end === undefined ? this.refused(error) : (end.reason as Error);
    }
  }

  /** Asks, and asks again each time the connection breaks. */
  async again<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isCutOff = error instanceof Error && error.message === CUT_OFF;
        if (!isCutOff || this.lost.aborted || this.closed) throw error;
      }
    }
  }

  close(): void {
    this.closed = true;
    clearInterval(this.asking);
    this.clearTimers();
    for (const redis of [this.client, ...this.more]) redis.disconnect();
  }

  private refused(error: unknown): PasskError {
    // No cause: errors of the client hold their commands, and with them the password.
    const text = messageOf(error);
    return new PasskError('QUEUE', `Redis at ${this.shown} refused a command: ${text.replace(/\.$/, '')}.`, {
      hint: text.startsWith('WRONGTYPE')
        ? 'Something else writes to keys that begin with passk: delete them, and give passk a database of its own.'
        : 'It needs room (maxmemory-policy noeviction) and the rights to write keys that begin with passk.',
    });
  }

  private trouble(error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
    this.why = code ?? (error.message || 'no answer');
    if (!/^(NOAUTH|WRONGPASS|NOPERM|ERR (invalid password|AUTH))/.test(error.message)) return;
    this.lose.abort(
      new PasskError('QUEUE', `Redis at ${this.shown} refuses the user or password.`, {
        hint: 'Look at the variable PASSK_QUEUE, or at --queue.',
      }),
    );
    this.client.disconnect();
  }

  /** `sinceMs`: how long Redis has been silent already. */
  private away(sinceMs = 0): void {
    if (this.giveUp !== null || this.lost.aborted || this.closed) return;
    const { outageMs, onNotice } = this.options;
    this.tell = setTimeout(
      () => {
        this.saidLost = true;
        onNotice(`Redis at ${this.shown} is away (${this.why}); waiting up to ${Math.ceil(outageMs / 1000)} s for it.`);
      },
      Math.max(0, QUIET_MS - sinceMs),
    );
    this.giveUp = setTimeout(
      () => {
        this.lose.abort(
          new PasskError(
            'QUEUE',
            `Redis at ${this.shown} has been away for ${Math.ceil(outageMs / 1000)} s (${this.why}).`,
            { hint: 'Start it, or look at the address; what a journal holds can be continued with --resume.' },
          ),
        );
        for (const redis of [this.client, ...this.more]) redis.disconnect();
      },
      Math.max(0, outageMs - sinceMs),
    );
  }

  private back(): void {
    this.clearTimers();
    if (this.saidLost) this.options.onNotice(`Redis at ${this.shown} is back.`);
    this.saidLost = false;
  }

  private clearTimers(): void {
    if (this.tell !== null) clearTimeout(this.tell);
    if (this.giveUp !== null) clearTimeout(this.giveUp);
    this.tell = null;
    this.giveUp = null;
  }

  /** A Redis that hangs keeps its sockets open. */
  private async ask(): Promise<void> {
    if (this.client.status !== 'ready') return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.answerMs);
    });
    const answer = await Promise.race([this.client.ping().catch(() => 'closed' as const), late]);
    clearTimeout(timer);
    if (answer !== 'late' || this.client.status !== 'ready') return;
    this.away(this.answerMs);
    this.client.disconnect(true);
  }
}
