import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptProgram } from '../../effects/granted/kept-program.ts';
import { sweepLeftovers } from '../../effects/granted/own-folder.ts';
import type { RunnerStart } from '../../plugin/runner-type.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Answerer } from '../standing.ts';
import { runnerEnv, runtimeCommand } from '../start-program.ts';
import { ReflectionHttp } from './reflection-http.ts';
import { removeRuntimeFile, type RuntimeFile, RuntimeFiles } from './runtime-files.ts';

const POLL_MS = 50;
/** What a program gets to put its runtime file away. */
const GRACE_MS = 2000;
/** Programs that begin at once may choose the same port. */
const STARTS = 5;

/** A program under development that was started here, with the reflection server that it opened. */
export class ReflectionChild implements Answerer {
  readonly http: ReflectionHttp;
  readonly #program: StartedProgram;
  readonly #file: RuntimeFile;
  readonly #wellAt = performance.now();
  #asked = 0;
  readonly #idle: (() => void)[] = [];

  /** Rejects with a sentence when it does not come up in time. */
  static async open(start: RunnerStart, signal: AbortSignal): Promise<ReflectionChild> {
    await sweepLeftovers();
    for (let tried = 1; ; tried++) {
      const program = new StartedProgram(start);
      try {
        return await program.comeUp(signal);
      } catch (error) {
        await program.end();
        signal.throwIfAborted();
        if (tried === STARTS || !program.lostItsPort) throw error;
      }
    }
  }

  constructor(program: StartedProgram, file: RuntimeFile, http: ReflectionHttp) {
    this.#program = program;
    this.#file = file;
    this.http = http;
  }

  get isOver(): boolean {
    return this.#program.why !== null;
  }

  /** Milliseconds since it was well for the first time. */
  get age(): number {
    return performance.now() - this.#wellAt;
  }

  /** Counts a question that it answers. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    try {
      return await work();
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  async idle(): Promise<void> {
    if (this.#asked > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Why it ended, which completes "it …", within a moment; null: it lives. */
  whyOver(): Promise<string | null> {
    return this.#program.whyOver();
  }

  tail(): string {
    return this.#program.tail();
  }

  async end(): Promise<void> {
    await this.http.close();
    await this.#program.end();
    removeRuntimeFile(this.#file);
  }
}

class StartedProgram {
  why: string | null = null;
  readonly #start: RunnerStart;
  readonly #id = `passk-${randomUUID()}`;
  readonly #files: RuntimeFiles;
  readonly #program: KeptProgram;
  readonly #over: Promise<void>;

  constructor(start: RunnerStart) {
    const { cwd, entry } = start;
    const { program, args } = runtimeCommand(start);
    this.#start = start;
    this.#files = new RuntimeFiles([cwd, path.dirname(entry ?? cwd)]);
    let over: () => void = () => undefined;
    this.#over = new Promise((resolve) => {
      over = resolve;
    });
    this.#program = new KeptProgram({
      program,
      args: [...args, entry ?? ''],
      cwd,
      env: { ...runnerEnv(start), GENKIT_ENV: 'dev', GENKIT_RUNTIME_ID: this.#id },
      wire: 'none',
      ended: (why) => {
        this.why = why;
        over();
      },
    });
  }

  get lostItsPort(): boolean {
    return this.why?.includes('EADDRINUSE') === true;
  }

  /** Settles when its server answers; rejects with a sentence. */
  async comeUp(signal: AbortSignal): Promise<ReflectionChild> {
    const { startupTimeoutMs, healthTimeoutMs, env } = this.#start;
    const givenUpAt = performance.now() + startupTimeoutMs;
    const isOurs = ({ id, pid }: RuntimeFile): boolean => id === this.#id || (pid !== null && this.#program.has(pid));
    await this.#program.started;
    let file: RuntimeFile | null = null;
    while (file === null) {
      file = this.#files.find(isOurs);
      if (file === null) await this.#wait(givenUpAt, 'opened no reflection server', signal);
    }
    const { url, grant } = ownAddress(file.url);
    const http = await ReflectionHttp.open(url, [grant], env['GENKIT_REFLECTION_SECRET_TOKEN']);
    try {
      while (!(await http.isWell(healthTimeoutMs, signal))) {
        await this.#wait(givenUpAt, 'has a reflection server that is not healthy', signal);
      }
    } catch (error) {
      await http.close();
      removeRuntimeFile(file);
      throw error;
    }
    return new ReflectionChild(this, file, http);
  }

  async whyOver(): Promise<string | null> {
    // The connection breaks before the end of its process is known.
    if (this.why === null) await Promise.race([this.#over, sleep(500)]);
    return this.why;
  }

  tail(): string {
    return this.#program.tail();
  }

  end(): Promise<void> {
    return this.#program.retire(GRACE_MS);
  }

  /** Waits a little; throws when it is over, or its time is. */
  async #wait(givenUpAt: number, what: string, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#over, sleep(POLL_MS)]);
    signal.throwIfAborted();
    if (this.why !== null) throw new Error(`The entry ${this.why}.`);
    if (performance.now() < givenUpAt) return;
    const tail = this.tail();
    const shown = tail === '' ? '' : `; its last lines: ${tail}`;
    throw new Error(`The entry ${what} within ${this.#start.startupTimeoutMs} ms${shown}.`);
  }
}

/** Where a child says that its server is, which must be on this machine. */
function ownAddress(url: string): { readonly url: string; readonly grant: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  // Who listens everywhere listens here.
  if (parsed?.hostname === '0.0.0.0' || parsed?.hostname === '[::]') parsed.hostname = '127.0.0.1';
  const isHere = parsed !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (!isHere)
    throw new Error(`The entry names ${visibleText(url)} as its reflection server, which is not on this machine.`);
  return { url: parsed.href, grant: parsed.host };
}
