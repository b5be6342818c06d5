import { ResidentProgram, type ResidentProgramStart } from '../effects/granted/resident-program.ts';
import { LineReader } from '../effects/granted/line-reader.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Answerer } from './standing.ts';

export interface PeerStart extends Omit<ResidentProgramStart, 'onData' | 'onEnd'> {
  /** Subject of sentences about it, such as `The executor`. */
  readonly what: string;
  readonly startupTimeoutMs: number;
  /** True: it is told of questions that nobody waits for any more. */
  readonly cancels: boolean;
}

/** What a question to it comes to. */
export type Reply =
  | { readonly kind: 'message'; readonly message: JsonObject }
  /** It is over; completes "it …". */
  | { readonly kind: 'gone'; readonly why: string };

interface Pending {
  readonly piece: (chunk: Json) => void;
  readonly settle: (reply: Reply) => void;
}

/** Bytes of a line; more ends the peer. */
const LONGEST_LINE = 100 << 20;
/** Characters of an unreadable line that are shown. */
const SHOWN = 200;

/**
 * A program that is spoken to in lines, each a JSON object. Replies are matched by `id` where they have one. Where they have
 * none they are taken for the oldest question, so that more than one at a time may only be asked of who echoes ids.
 */
export class LinePeer implements Answerer {
  /** True: replies say what they answer. */
  echoes = false;
  readonly #program: ResidentProgram;
  readonly #start: PeerStart;
  readonly #pending = new Map<number, Pending>();
  readonly #idle: (() => void)[] = [];
  #lastId = 0;
  #over: string | null = null;
  #first: (message: JsonObject | string) => void = () => undefined;

  /** Starts it. Rejects with a sentence when it is not ready in time. */
  static async open(start: PeerStart, signal: AbortSignal): Promise<LinePeer> {
    const peer = new LinePeer(start);
    const refused = await peer.#waitUntilReady(start.startupTimeoutMs, signal);
    if (refused === null) return peer;
    await peer.end();
    signal.throwIfAborted();
    throw new Error(refused === 'late' ? peer.#late() : `${start.what} ${refused}.`);
  }

  private constructor(start: PeerStart) {
    this.#start = start;
    const lines = new LineReader(LONGEST_LINE, (line) => this.#read(line));
    this.#program = new ResidentProgram({
      ...start,
      onData: (chunk) => {
        if (!lines.add(chunk)) void this.#program.end(`sent a line of more than ${LONGEST_LINE} bytes`);
      },
      onEnd: (why) => this.#end(why),
    });
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  /** Asks; an aborted question is forgotten, and its late reply dropped where replies have ids. Never rejects. */
  async ask(question: JsonObject, piece: (chunk: Json) => void, until: AbortSignal): Promise<Reply> {
    await this.#program.started.catch(() => undefined);
    if (this.#over !== null) return { kind: 'gone', why: this.#over };
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Reply>((resolve) => {
      const settle = (reply: Reply): void => {
        until.removeEventListener('abort', stop);
        this.#pending.delete(id);
        if (this.#pending.size === 0) for (const wake of this.#idle.splice(0)) wake();
        resolve(reply);
      };
      const stop = (): void => {
        if (this.#start.cancels) this.#program.write(`${JSON.stringify({ cancel: id })}\n`);
        settle({ kind: 'gone', why: 'was not waited for' });
      };
      until.addEventListener('abort', stop, { once: true });
      this.#pending.set(id, { piece, settle });
      if (until.aborted) stop();
      else this.#program.write(`${JSON.stringify({ id, ...question })}\n`);
    });
  }

  async idle(): Promise<void> {
    if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  /** Null: it is ready; `late`: it has not said so in time; else completes "it …". */
  async #waitUntilReady(timeoutMs: number, signal: AbortSignal): Promise<string | null> {
    const first = new Promise<JsonObject | string>((resolve) => {
      this.#first = resolve;
    });
    const timer = setTimeout(() => this.#first('late'), timeoutMs);
    const stop = (): void => this.#first('was closed');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await this.#program.started;
      const heard = await first;
      if (typeof heard === 'string') return heard;
      this.echoes = heard['ids'] === true;
      if (heard['ready'] === true) return null;
      const { setup, error } = heard;
      const why = typeof setup === 'string' ? setup : error;
      return typeof why === 'string' ? `is not ready: ${why}` : 'said something else than that it is ready';
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      this.#first = () => undefined;
    }
  }

  #read(line: string): void {
    const text = line.trim();
    // What is no object is a word for people on the wrong channel.
    if (!text.startsWith('{')) {
      if (text !== '') this.#start.onLine?.(line);
      return;
    }
    let message: JsonObject;
    try {
      message = JSON.parse(text) as JsonObject;
    } catch {
      // Whose answer it was to be cannot be told any more.
      void this.#program.end(`answered with what is no JSON: ${visibleText(this.#start.scrub(text).slice(0, SHOWN))}`);
      return;
    }
    if ('ready' in message || 'setup' in message) this.#first(message);
    else this.#answer(message);
  }

  #answer(message: JsonObject): void {
    const { id, chunk } = message;
    if (typeof id === 'number') this.echoes = true;
    const [oldest] = this.#pending.values();
    const pending = typeof id === 'number' ? this.#pending.get(id) : oldest;
    if (chunk !== undefined && !('response' in message)) pending?.piece(chunk);
    else pending?.settle({ kind: 'message', message });
  }

  #late(): string {
    const { what, startupTimeoutMs } = this.#start;
    const tail = this.#program.tail();
    return `${what} was not ready after ${startupTimeoutMs} ms${tail === '' ? '' : `; its last lines: ${tail}`}.`;
  }

  #end(why: string): void {
    this.#over = why;
    this.#first(why);
    for (const { settle } of [...this.#pending.values()]) settle({ kind: 'gone', why });
  }
}
