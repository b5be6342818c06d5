import type { TargetAnswer } from '../agents/target.ts';
import { UnreachedError, unusable } from '../agents/unusable.ts';

/** So many calls in a row that nobody is there for end an agent that has answered before; one that never has, one call. */
const MOST_UNREACHED = 3;

/** Whether anybody is there to answer, over all calls of one agent. */
export class AgentReach {
  /** Calls that an answer or an error came back for. */
  answered = 0;
  /** Of these, answers that came when it was asked once more. */
  retried = 0;
  /** Of these, those with nothing where `response_path` leads. */
  astray = 0;
  /** Of these, answers without a word. */
  empty = 0;
  /** Of these, those that are no JSON although they say so. */
  unreadable = 0;
  /** Of these, HTML pages. */
  pages = 0;
  /** Of these, streams in which no text was found. */
  unknownStreams = 0;
  private inRow = 0;
  private why: string | null = null;

  /** Why the agent is not asked any more; null: it is. */
  get gone(): string | null {
    return this.why;
  }

  /**
   * Makes one call of the agent. An agent that is not there has not failed: nothing is known of it, so the call rejects
   * and breaks its trial. Once the agent is gone nobody is asked.
   */
  async ask(call: () => Promise<TargetAnswer>): Promise<TargetAnswer> {
    const answer = await this.whileThere(call);
    if (answer.unreached === true) throw this.missed(answer.error ?? '');
    this.inRow = 0;
    this.answered++;
    // What fails at the last try, too, never came.
    if ((answer.tries ?? 1) > 1 && answer.error === null) this.retried++;
    if (answer.isAstray === true) this.astray++;
    if (answer.error === null && answer.text.trim() === '') this.empty++;
    if (answer.isUnreadable === true) this.unreadable++;
    if (answer.isPage === true) this.pages++;
    if (answer.isUnknownStream === true) this.unknownStreams++;
    return answer;
  }

  /** Brings the agent back to its first state; rejects as a call does, and says nothing about whether it answers. */
  reset(bringBack: () => Promise<void>): Promise<void> {
    return this.whileThere(bringBack);
  }

  private async whileThere<T>(reach: () => Promise<T>): Promise<T> {
    if (this.why !== null) throw nobody(this.why);
    try {
      return await reach();
    } catch (error) {
      throw error instanceof UnreachedError ? this.missed(error.message) : error;
    }
  }

  private missed(why: string): Error {
    this.inRow++;
    if (this.answered === 0 || this.inRow >= MOST_UNREACHED) this.why ??= why;
    return nobody(why);
  }
}

function nobody(why: string): Error {
  return unusable(`Nobody is there to answer: ${why}.`);
}
