import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResidentProgram } from '../effects/granted/resident-program.ts';
import type { RunnerStart } from '../plugin/runner-type.ts';
import { runnerEnv, runtimeCommand } from './start-program.ts';

const POLL_MS = 50;
/** What a program gets to put away what it has written. */
const GRACE_MS = 2000;
/** The connection breaks a little before the end of its process is known. */
const END_MS = 500;

/** The entry of a plug-in, started with the command of its runtime as a Genkit program under development. */
export class EntryProgram {
  /** What the program was told that it is called. */
  readonly id: string = `passk-${randomUUID()}`;
  readonly #start: RunnerStart;
  readonly #program: ResidentProgram;
  readonly #over: Promise<void>;
  readonly #givenUpAt: number;
  #why: string | null = null;

  /** `env` goes before what is granted. Throws a sentence where the command is not granted. */
  constructor(start: RunnerStart, env: Readonly<Record<string, string>> = {}) {
    const { program, args } = runtimeCommand(start);
    let over: () => void = () => undefined;
    this.#start = start;
    this.#givenUpAt = performance.now() + start.startupTimeoutMs;
    this.#over = new Promise((resolve) => {
      over = resolve;
    });
    this.#program = new ResidentProgram({
      program,
      args: [...args, start.entry ?? ''],
      cwd: start.cwd,
      env: { ...runnerEnv(start), ...env, GENKIT_ENV: 'dev', GENKIT_RUNTIME_ID: this.id },
      wire: 'none',
      scrub: start.scrub,
      onLine: start.log,
      onEnd: (why) => {
        this.#why = why;
        over();
      },
    });
  }

  get isOver(): boolean {
    return this.#why !== null;
  }

  /** True: another program took the port that it had chosen. */
  get lostItsPort(): boolean {
    return this.#why?.includes('EADDRINUSE') === true;
  }

  /** True: the process is the program, or came out of it. */
  has(pid: number): boolean {
    return this.#program.has(pid);
  }

  started(): Promise<void> {
    return this.#program.started;
  }

  /** Waits a little; throws a sentence when the program is over, or the time that it has to come up is. */
  async wait(what: string, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#over, sleep(POLL_MS)]);
    signal.throwIfAborted();
    if (this.#why !== null) throw new Error(`The entry ${this.#why}.`);
    if (performance.now() < this.#givenUpAt) return;
    const tail = this.#program.tail();
    const shown = tail === '' ? '' : `; its last lines: ${tail}`;
    throw new Error(`The entry ${what} within ${this.#start.startupTimeoutMs} ms${shown}.`);
  }

  /** Why it ended, which completes "it …", within a moment; null: it lives. */
  async whyOver(): Promise<string | null> {
    if (this.#why === null) await Promise.race([this.#over, sleep(END_MS)]);
    return this.#why;
  }

  end(): Promise<void> {
    return this.#program.retire(GRACE_MS);
  }
}
