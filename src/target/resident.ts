import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { PROGRAM_PATH } from '../effects/granted/granted-programs.ts';
import { LineReader } from '../effects/granted/line-reader.ts';
import { forgetTree, keepTree } from '../effects/granted/living-trees.ts';
import { inOwnFolder } from '../effects/granted/own-folder.ts';
import { ProcessTree } from '../effects/granted/process-tree.ts';
import { TextTail } from '../effects/granted/text-tail.ts';
import { within } from '../effects/granted/within.ts';
import type { JsonObject } from '../types/json.ts';
import type { Program } from './agent-program.ts';

export interface ResidentStart {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides PATH, LANG, HOME and TMPDIR; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
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
/** For what stands in the pipes of a process that has ended. */
const READ_MS = 250;

/**
 * A program that stays and is spoken to: one JSON object a line each way, on a channel of its own, so that what it prints
 * is never taken for an answer. Gone with all that came out of it once it is ended.
 */
export class Resident {
  /** All processes and the folder are gone. */
  readonly gone: Promise<void>;
  readonly #started: Promise<void>;
  readonly #messages: JsonObject[] = [];
  readonly #stderr = new TextTail();
  readonly #lines = new LineReader(LONGEST_MESSAGE, (line) => this.#read(line));
  #channel: Duplex | null = null;
  #leave: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #over: string | null = null;

  constructor(start: ResidentStart) {
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    let gone: Promise<void> = Promise.resolve();
    this.#started = new Promise((resolve, reject) => {
      gone = inOwnFolder(async (folder) => {
        const tree = this.#run(start, folder);
        resolve();
        await left;
        await tree?.end();
        forgetTree(tree);
      }).catch(reject);
    });
    this.gone = gone;
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  async say(message: JsonObject): Promise<void> {
    await this.#started;
    if (this.#over === null) this.#channel?.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message, or its end. One listener at a time. */
  async hear(until: AbortSignal): Promise<Heard> {
    await this.#started;
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
    this.#end('was ended');
    return this.gone;
  }

  #run({ program, args, cwd, env }: ResidentStart, folder: string): ProcessTree | null {
    const child = spawn(program.file, args, {
      argv0: program.name,
      cwd,
      // The folder is what all that comes out of it is known by.
      env: { PATH: PROGRAM_PATH, LANG: 'C.UTF-8', HOME: folder, ...env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      shell: false,
      windowsHide: true,
    });
    this.#listen(child);
    return child.pid === undefined ? null : keepTree(new ProcessTree(child.pid, folder));
  }

  #listen(child: ChildProcess): void {
    child.once('exit', (code, signal) => {
      void this.#endWhenRead(child, signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
    });
    child.once('error', (error) => this.#end(`cannot be started: ${error.message}`));
    child.stdout?.on('error', () => undefined).resume();
    child.stderr?.on('error', () => undefined).on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    // The fourth of the channels is a pipe of both directions, which Node types as any stream.
    this.#channel = child.stdio[3] as Duplex;
    this.#channel.on('error', () => undefined);
    this.#channel.on('data', (chunk: Buffer) => {
      if (!this.#lines.add(chunk)) this.#end(`sent more than ${LONGEST_MESSAGE} bytes at once`);
    });
  }

  #read(line: string): void {
    try {
      this.#messages.push(JSON.parse(line) as JsonObject);
    } catch {
      this.#end('sent what is no answer');
    }
    this.#wake();
  }

  /** What it wrote before it ended counts, unless something it left behind keeps the pipes open. */
  async #endWhenRead(child: ChildProcess, why: string): Promise<void> {
    await within(READ_MS, once(child, 'close'));
    this.#end(why);
  }

  #end(why: string): void {
    if (this.#over !== null) return;
    const tail = this.#stderr.text((text) => text);
    this.#over = tail === '' ? why : `${why}; its last lines: ${tail}`;
    this.#channel?.destroy();
    this.#leave();
    this.#wake();
  }
}
