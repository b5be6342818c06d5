import { ResidentProgram } from '../effects/granted/resident-program.ts';
import { LineReader } from '../effects/granted/line-reader.ts';
import type { JsonObject } from '../types/json.ts';
import { mapTexts } from '../values/map-texts.ts';
import type { Program } from './agent-program.ts';

export interface ResidentStart {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides PATH, LANG, HOME and TMPDIR; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes the values of granted variables out of what it says. */
  readonly scrub: (text: string) => string;
}

/** What is heard of a process next. */
export type Heard =
  | { readonly kind: 'message'; readonly message: JsonObject }
  /** It is gone; completes "it …". */
  | { readonly kind: 'gone'; readonly why: string }
  /** Nothing, until nobody listened any more. */
  | { readonly kind: 'nothing' };

/** Bytes of one message; more ends the process. */
const LONGEST_MESSAGE = 4 << 20;

/**
 * A program that stays and is spoken to: one JSON object a line each way, on a channel of its own, so that what it prints
 * is never taken for an answer. Gone with all that came out of it once it is ended.
 */
export class Resident {
  readonly #messages: JsonObject[] = [];
  readonly #lines = new LineReader(LONGEST_MESSAGE, (line) => this.#read(line));
  readonly #program: ResidentProgram;
  readonly #scrub: (text: string) => string;
  #wake: () => void = () => undefined;
  #over: string | null = null;

  constructor(start: ResidentStart) {
    this.#scrub = start.scrub;
    this.#program = new ResidentProgram({
      ...start,
      wire: 'channel',
      onData: (chunk) => {
        if (!this.#lines.add(chunk)) void this.#program.end(`sent more than ${LONGEST_MESSAGE} bytes at once`);
      },
      onEnd: (why) => {
        this.#over = why;
        this.#wake();
      },
    });
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  async say(message: JsonObject): Promise<void> {
    await this.#program.started;
    this.#program.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message, or its end. One listener at a time. */
  async hear(until: AbortSignal): Promise<Heard> {
    await this.#program.started;
    while (this.#messages.length === 0 && this.#over === null && !until.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        until.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    const message = this.#messages.shift();
    if (message !== undefined) return { kind: 'message', message };
    return this.#over === null ? { kind: 'nothing' } : { kind: 'gone', why: this.#over };
  }

  /** Ends it, with all that came out of it. */
  end(): Promise<void> {
    return this.#program.end();
  }

  #read(line: string): void {
    try {
      this.#messages.push(mapTexts(JSON.parse(line) as JsonObject, this.#scrub));
    } catch {
      void this.#program.end('sent what is no answer');
    }
    this.#wake();
  }
}
