import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenRunner, RunnerStart } from '../plugin/runner-type.ts';
import type { ModelAnswer, ModelQuestion } from '../types/model-test.ts';
import { messageOf } from '../values/message-of.ts';
import { orAborted } from '../values/unless-aborted.ts';
import { type Asking, askWithin } from './asking.ts';
import { type Answerer, Standing } from './standing.ts';

/** Nobody answers at the address, or the connection broke. */
export class LostConnection extends Error {}

/** An entry that runs, and the connection that it is asked over. */
export interface EntryServer extends Pick<Answerer, 'isOver' | 'end'> {
  /** Rejects with `LostConnection`. */
  run(asking: Asking, question: ModelQuestion, until: AbortSignal): Promise<ModelAnswer>;
  /** Whether it answers in time that it is well. Never rejects. */
  isWell(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** Why it ended, which completes "it …", within a moment; null: it lives. */
  whyOver(): Promise<string | null>;
}

/** A program may define its models a little after its server is up: until then a model that it does not know is asked again. */
const SETTLE_MS = 2000;
const AGAIN_MS = 100;
/** An unknown action: of HTTP, and of JSON-RPC. */
const UNKNOWN = ['404', '-32602'];

/** Asks an entry over its connection. One that is over or blocked is replaced for the next question. */
export async function openEntry(
  start: RunnerStart,
  open: (closing: AbortSignal) => Promise<EntryServer>,
): Promise<OpenRunner> {
  const standing = new Standing(async (closing) => new AskedEntry(await open(closing)));
  try {
    await orAborted(standing.get(), start.signal);
  } catch (error) {
    await standing.close();
    throw error;
  }

  const ask = async (question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> => {
    let entry: AskedEntry;
    try {
      entry = await orAborted(standing.get(), signal);
    } catch (error) {
      return askWithin(question, signal, async (asking) => asking.died(messageOf(error)));
    }
    const answer = await entry.ask(question, signal);
    // A model that is cancelled leaves its program well; one that blocks it does not.
    const isTimedOut = answer.kind === 'problem' && answer.why === 'timed_out';
    if (isTimedOut && !(await entry.server.isWell(start.healthTimeoutMs, signal))) standing.retire(entry);
    return answer;
  };

  return { atOnce: null, ask, close: () => standing.close() };
}

/** An entry with the questions that it has to answer. */
class AskedEntry implements Answerer {
  readonly server: EntryServer;
  readonly #since = performance.now();
  readonly #idle: (() => void)[] = [];
  #asked = 0;

  constructor(server: EntryServer) {
    this.server = server;
  }

  get isOver(): boolean {
    return this.server.isOver;
  }

  async ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    this.#asked += 1;
    try {
      return await askWithin(question, signal, (asking, until) => this.#askUntilKnown(asking, question, until));
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  async idle(): Promise<void> {
    if (this.#asked > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  end(): Promise<void> {
    return this.server.end();
  }

  async #askUntilKnown(asking: Asking, question: ModelQuestion, until: AbortSignal): Promise<ModelAnswer> {
    for (;;) {
      const answer = await this.#run(asking, question, until);
      const isUnknown = answer.kind === 'problem' && answer.code !== null && UNKNOWN.includes(answer.code);
      if (!isUnknown || performance.now() - this.#since > SETTLE_MS || until.aborted) return answer;
      await sleep(AGAIN_MS);
    }
  }

  async #run(asking: Asking, question: ModelQuestion, until: AbortSignal): Promise<ModelAnswer> {
    try {
      return await this.server.run(asking, question, until);
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      // Nobody reads why, where nobody waits.
      const why = until.aborted ? null : await this.server.whyOver();
      return asking.died(why === null ? `The connection to the entry broke: ${error.message}.` : `The entry ${why}.`);
    }
  }
}
