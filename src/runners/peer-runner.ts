import type { OpenRunner, RunnerStart } from '../plugin/runner-type.ts';
import type { JsonObject } from '../types/json.ts';
import type { ModelAnswer, ModelQuestion } from '../types/model-test.ts';
import { messageOf } from '../values/message-of.ts';
import { orAborted } from '../values/unless-aborted.ts';
import { type Asking, askWithin } from './asking.ts';
import type { LinePeer } from './line-peer.ts';
import { Standing } from './standing.ts';
import { Turns } from './turns.ts';

export interface PeerProtocol {
  start(signal: AbortSignal): Promise<LinePeer>;
  requestOf(question: ModelQuestion): JsonObject;
  /** What a reply says. */
  answerIn(asking: Asking, message: JsonObject, question: ModelQuestion): ModelAnswer;
}

/**
 * Asks a program that is spoken to in lines. After a question whose time is up another program is started, so that no late
 * answer is ever taken for another one's, and what it still does ends with it once it has no other question to answer.
 */
export class PeerRunner implements OpenRunner {
  readonly #protocol: PeerProtocol;
  readonly #standing: Standing<LinePeer>;
  readonly #turns = new Turns();
  #echoes: boolean;

  static async open({ signal }: RunnerStart, protocol: PeerProtocol): Promise<PeerRunner> {
    const standing = new Standing((closing) => protocol.start(closing));
    try {
      return new PeerRunner(protocol, standing, await orAborted(standing.get(), signal));
    } catch (error) {
      await standing.close();
      throw error;
    }
  }

  private constructor(protocol: PeerProtocol, standing: Standing<LinePeer>, first: LinePeer) {
    this.#protocol = protocol;
    this.#standing = standing;
    this.#echoes = first.echoes;
  }

  /** Becomes null with the first reply that says what it answers. */
  get atOnce(): number | null {
    return this.#echoes ? null : 1;
  }

  async ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    if (this.#echoes) return this.#ask(question, signal);
    return orAborted(
      this.#turns.take(() => this.#ask(question, signal)),
      signal,
    );
  }

  close(): Promise<void> {
    return this.#standing.close();
  }

  async #ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    let peer: LinePeer;
    try {
      peer = await orAborted(this.#standing.get(), signal);
    } catch (error) {
      return askWithin(question, signal, async (asking) => asking.died(messageOf(error)));
    }
    const { requestOf, answerIn } = this.#protocol;
    return askWithin(question, signal, async (asking, until) => {
      const reply = await peer.ask(requestOf(question), (chunk) => asking.chunk(chunk), until);
      if (until.aborted) this.#standing.retire(peer);
      this.#echoes ||= peer.echoes;
      if (reply.kind === 'gone') return asking.died(`The process that answers ${reply.why}.`);
      return answerIn(asking, reply.message, question);
    });
  }
}
